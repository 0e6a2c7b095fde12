import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';

/**
 * What the columns are called in exports of Mailchimp, Resend, Postmark and Customer.io. Change the names to those of
 * your files.
 */
const columns = {
  email: ['Email Address', 'EmailAddress', 'email', 'Email', 'Recipient'],
  firstName: ['First Name', 'first_name', 'firstName', 'First name'],
  lastName: ['Last Name', 'last_name', 'lastName', 'Last name'],
  /** Your own id of the person. Customer.io: its column `id`. */
  externalId: ['external_id'],
  consentGivenAt: ['CONFIRM_TIME', 'OPTIN_TIME', 'created_at'],
  optedOutAt: ['UNSUB_TIME', 'CLEAN_TIME', 'CreatedAt'],
  reason: ['SuppressionReason', 'reason', 'UNSUB_REASON', 'CLEAN_CAMPAIGN_TITLE'],
  /** true where the person gets no newsletter at all any more. */
  unsubscribed: ['unsubscribed'],
} as const;
type Field = keyof typeof columns;

/** Columns that become properties of the contact, and the name of each property. */
const properties: Readonly<Record<string, string>> = { TAGS: 'tags', MEMBER_RATING: 'rating', plan: 'plan' };

/** One row of an export. Fields that the row lacks are undefined. */
export interface Person {
  readonly email: string;
  readonly contact: Readonly<Partial<Record<'firstName' | 'lastName' | 'externalId', string>>> & {
    properties: Record<string, string | number>;
  };
  readonly consentGivenAt: string | undefined;
  readonly optedOutAt: string | undefined;
  readonly reason: string | undefined;
  readonly unsubscribed: boolean;
}

type Cells = Readonly<Record<string, string>>;

const isRow = (row: unknown): row is Cells => typeof row === 'object' && row !== null;

/** A number where it is one, such as a rating, but not a postcode such as 01067. */
const valueOf = (cell: string): string | number =>
  /^(?:0|[1-9]\d{0,14})$/.test(cell) ? Number(cell) : (timeOf(cell) ?? cell);

/**
 * A time in RFC 3339 form, from that form, `2024-02-11 10:05:00` (read as UTC) or the seconds since 1970; undefined for
 * others.
 */
function timeOf(cell: string): string | undefined {
  const seconds = /^\d{10}$/.test(cell) ? Number(cell) * 1000 : undefined;
  const [, date, time = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/.exec(cell) ?? [];
  if (seconds === undefined && date === undefined) return undefined;
  const at = new Date(seconds ?? `${date}T${time}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/**
 * Reads an export: CSV in UTF-8, with or without a byte order mark, quotes and line breaks within cells.
 * @throws Error for a file without a column of addresses, or in another encoding
 */
export async function readExport(path: string): Promise<Person[]> {
  const csv = await readFile(path);
  if (!isUtf8(csv)) throw new Error(`${path} is not UTF-8: save it as UTF-8 first.`);
  const parsed: unknown = parse(csv, { bom: true, columns: true, skip_empty_lines: true });
  const rows = Array.isArray(parsed) ? parsed.filter(isRow) : [];
  return rows.map((row) => {
    const cell = (field: Field): string | undefined =>
      columns[field].map((name) => row[name]?.trim()).find((each) => each !== undefined && each !== '');
    if (!columns.email.some((name) => name in row))
      throw new Error(`${path} has no column of addresses, only ${Object.keys(row).join(', ')}: see read-export.ts`);
    const names = (['firstName', 'lastName', 'externalId'] as const).flatMap((field) => {
      const found = cell(field);
      return found === undefined ? [] : [[field, found] as const];
    });
    const kept = Object.entries(properties).flatMap(([column, key]): [string, string | number][] => {
      const found = row[column]?.trim() ?? '';
      return found === '' ? [] : [[key, valueOf(found)]];
    });
    return {
      email: cell('email') ?? '',
      contact: { ...Object.fromEntries(names), properties: Object.fromEntries(kept) },
      consentGivenAt: timeOf(cell('consentGivenAt') ?? ''),
      optedOutAt: timeOf(cell('optedOutAt') ?? ''),
      reason: cell('reason'),
      unsubscribed: cell('unsubscribed')?.toLowerCase() === 'true',
    };
  });
}
