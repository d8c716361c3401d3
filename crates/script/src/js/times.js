// `addMinutes`, `addHours`, `addDays`: shift a time and return it in the form it was given.
(function () {
  "use strict";
  const { apply } = Reflect;
  const exec = RegExp.prototype.exec;
  const form =
    /^(\s*)(\d{1,6})(\s*[-\/.年]\s*)(\d{1,2})(\s*[-\/.月]\s*)(\d{1,2})(\s*[日号]?)(?:([\sT,，]*(?:(?:星期|周)[一二三四五六日天])?[\sT,，]*)(\d{1,2})(\s*[:：时点]\s*)(\d{1,2})(?:(\s*[:：分]\s*)(\d{1,2})((?:\.\d+)?))?)?(.*)$/su;
  const weekday = /(星期|周)[一二三四五六日天]/u;
  const names = "日一二三四五六";
  const width = (number, model) => {
    let text = String(number);
    while (text.length < model.length) text = "0" + text;
    return text;
  };
  const withWeekday = (text, date) => {
    const found = apply(exec, weekday, [text]);
    if (!found) return text;
    const at = found.index;
    return text.slice(0, at) + found[1] + names[date.getUTCDay()] + text.slice(at + found[0].length);
  };
  const shift = (given, milliseconds, name) => {
    if (!Number.isFinite(milliseconds)) throw new TypeError(name + ": the amount is not a number");
    if (typeof given === "number") return given + milliseconds;
    if (given instanceof Date) return new Date(given.getTime() + milliseconds);
    const part = typeof given === "string" ? apply(exec, form, [given]) : null;
    if (!part) throw new TypeError(name + ": cannot read the time " + String(given).slice(0, 60));
    const [, lead, year, s1, month, s2, day, s3, gap, hour, s4, minute, s5, second, fraction, tail] = part;
    const date = new Date(0);
    date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
    date.setUTCHours(Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0), 0);
    date.setTime(date.getTime() + milliseconds);
    if (Number.isNaN(date.getTime())) throw new RangeError(name + ": the time is out of range");
    const front = lead + width(date.getUTCFullYear(), year) + s1 + width(date.getUTCMonth() + 1, month) + s2 +
      width(date.getUTCDate(), day) + s3;
    const two = (number) => width(number, "00");
    if (hour === undefined) {
      const whole = milliseconds % 86400000 === 0;
      const clock = whole ? "" : " " + two(date.getUTCHours()) + ":" + two(date.getUTCMinutes());
      return front + clock + withWeekday(tail, date);
    }
    const seconds = second === undefined ? "" : s5 + width(date.getUTCSeconds(), second) + fraction;
    return front + withWeekday(gap, date) + width(date.getUTCHours(), hour) + s4 + width(date.getUTCMinutes(), minute) +
      seconds + withWeekday(tail, date);
  };
  const add = (name, unit) => {
    const value = { [name](moment, amount) { return shift(moment, Number(amount) * unit, name); } }[name];
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: false, configurable: true });
  };
  add("addMinutes", 60000);
  add("addHours", 3600000);
  add("addDays", 86400000);
});
