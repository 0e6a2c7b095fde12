/** A time whose second is 60 (RFC 3339 §5.6), with its zone. */
const grammar = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:)60(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * A time without its leap second: the second after it, which has the same number in Unix time. Programs that count
 * leap seconds write `2016-12-31T23:59:60Z`, and neither JavaScript nor a DATETIME has such a time.
 * @returns other texts, and times that end no month in UTC (RFC 3339 §5.7), as they are
 */
export function withoutLeapSecond(text: string): string {
  const [, start, zone] = grammar.exec(text) ?? [];
  if (start === undefined || zone === undefined) return text;
  const before = Date.parse(`${start}59${zone}`);
  if (Number.isNaN(before)) return text;
  const after = new Date(before + 1_000);
  const beginsMonth = after.getUTCDate() === 1 && after.getUTCHours() === 0 && after.getUTCMinutes() === 0;
  return beginsMonth ? after.toISOString() : text;
}

/** Whether a text is a time with a second that the clock never showed. */
export const isWrongLeapSecond = (text: string): boolean => grammar.test(text) && withoutLeapSecond(text) === text;
