const form = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const units = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3_600, 24],
  ['day', 86_400, 14],
] as const;

/** “3 minutes ago”, “in 2 hours”; the date for times more than two weeks away. @param text a time of the server's */
export function relativeTime(text: string, now = Date.now()): string {
  const [, date] = form.exec(text) ?? [];
  if (date === undefined) return text;
  const seconds = (Date.parse(text) - now) / 1000;
  if (Math.abs(seconds) < 1) return 'now';
  for (const [unit, size, limit] of units) {
    const count = Math.trunc(seconds / size);
    if (Math.abs(count) < limit) return relative.format(count, unit);
  }
  return date;
}

/** The time to the second, and how long ago that is. */
export function fullTime(text: string, now = Date.now()): string {
  const [, date, time] = form.exec(text) ?? [];
  if (date === undefined) return text;
  const ago = relativeTime(text, now);
  return `${date} ${time}Z${ago === date ? '' : ` (${ago})`}`;
}
