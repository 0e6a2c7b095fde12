import { isId } from '#core/runtime/id-form.js';
import { parseAddress } from './email-address.js';
import { isWrongLeapSecond } from './leap-second.js';
import { parseMailbox } from './mailbox.js';
import { parsePhone } from './phone.js';

/** The text formats of all schemas, with their validation. */

/** RFC 3339 with a zone: `Z` or a numeric offset. */
const dateTime =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

const date = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Date.parse reads 30 February as 2 March. */
const isDay = (date: string): boolean => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);

export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uuid: isId,
  // Rejects values that contain a second address, before any product sees them.
  email: (text) => parseAddress(text).ok,
  mailbox: (text) => parseMailbox(text).ok,
  phone: (text) => parsePhone(text).ok,
  'date-time': (text) => dateTime.test(text) && !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10)),
  date: (text) => date.test(text) && isDay(text),
  uri: (text) => URL.canParse(text),
};

/** The error text of the formats whose values are wrong in one way only. */
const plainProblems: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  'date-time': 'must be a date and time with zone, such as 2026-01-31T09:30:00Z',
  date: 'must be a date such as 2026-01-31',
  uri: 'must be an absolute URL',
};

/** The formats that are checked by a parser, which reports what is wrong with the value. */
const parsers: Readonly<Record<string, (text: string) => { ok: true } | { ok: false; problem: string }>> = {
  email: parseAddress,
  mailbox: parseMailbox,
  phone: parsePhone,
};

/** The text of a refusal for a value that is not of the format `format`: the end of a sentence about it. */
export function formatProblem(format: string, value: unknown): string {
  if (format === 'date-time' && typeof value === 'string' && isWrongLeapSecond(value))
    return 'has the second 60, which is only at the end of a month in UTC: 23:59:60Z';
  const parsed = typeof value === 'string' ? parsers[format]?.(value) : undefined;
  return (parsed?.ok === false ? parsed.problem : plainProblems[format]) ?? 'has the wrong form';
}
