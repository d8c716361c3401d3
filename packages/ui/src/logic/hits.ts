// Splits a text at the occurrences of the searched words.

export interface Piece {
  text: string;
  hit: boolean;
}

export function piecesOf(text: string, query: string): Piece[] {
  const wanted = query.trim().toLowerCase();
  const lower = text.toLowerCase();
  // Lower case can be longer than the text (İ): then offsets would not match, so nothing is marked.
  if (wanted === '' || lower.length !== text.length) return [{ text, hit: false }];
  const pieces: Piece[] = [];
  let at = 0;
  for (let found = lower.indexOf(wanted); found >= 0; found = lower.indexOf(wanted, at)) {
    if (found > at) pieces.push({ text: text.slice(at, found), hit: false });
    at = found + wanted.length;
    pieces.push({ text: text.slice(found, at), hit: true });
  }
  if (at < text.length) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}
