// Formats times for people: today 20:41, yesterday 09:05, 14 Nov 21:07.

export interface TimeWords {
  locale: string;
  today: string;
  yesterday: string;
}

export function timeText(time: number, now: number, words: TimeWords): string {
  const date = new Date(time);
  const clock = clockText(time);
  const days = Math.round((midnight(now) - midnight(time)) / 86_400_000);
  if (days === 0) return `${words.today} ${clock}`;
  if (days === 1) return `${words.yesterday} ${clock}`;
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  const format: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) };
  return `${new Intl.DateTimeFormat(words.locale, format).format(date)} ${clock}`;
}

export function clockText(time: number): string {
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}
