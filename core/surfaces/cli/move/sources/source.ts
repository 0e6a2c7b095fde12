import { CliError } from '../../errors.js';
import type { Entry } from '../files/entry.js';
import type { Found, MoveSettings, Note, Place } from '../found.js';

/** Another service whose exports can be read. */
export interface Source {
  readonly service: string;
  readonly moves: 'contacts' | 'users';
  /**
   * Checks the layouts of the files before anything is read from them.
   * @returns reads the records, from the start each time that it is called
   * @throws CliError for a file with another layout, or that cannot be read
   */
  readonly prepare: (entries: readonly Entry[], settings: MoveSettings) => Promise<() => AsyncGenerator<Found>>;
}

/**
 * Called for files with subscriptions, which need a topic. @throws CliError without one
 * @param lists whether the exports name the list of a subscription
 */
export function requireTopic(service: string, { topic, topics }: MoveSettings, lists = false): void {
  if (topic !== undefined || (lists && topics.size > 0)) return;
  throw new CliError(
    `--topic is missing: what ${service} calls ${service === 'Mailchimp' ? 'an audience' : 'a list'} is a topic here.`,
    'Create one with `svc audience topic create --key news --name Newsletter`, and pass --topic news.',
  );
}

/** The refusal of a file whose layout is not known. */
export const unknownLayout = (
  { name }: Entry,
  found: readonly string[],
  expected: readonly (readonly string[])[],
  help: string,
): CliError =>
  new CliError(
    `${name}, line 1: this is not an export that is known. It has ${found.length === 0 ? 'nothing' : found.slice(0, 30).join(', ')}; expected is ${expected.map((each) => each.join(', ')).join('; or ')}.`,
    help,
  );

/** A record that is not moved at all, with the reason. */
export const left = (place: Place, who: string, reason: string, failed = true): Found => ({
  place,
  notes: [note(place, who, reason, failed)],
});

export const note = (place: Place, who: string, reason: string, failed = true): Note => ({
  place,
  ...(who === '' ? {} : { who }),
  reason,
  failed,
});

/** The reason for a row that has more or fewer cells than the header line. */
export const unequalCells = (cells: number, columns: number): string =>
  `the row has ${cells} cells, and the header line ${columns}`;

/** Whether a table has these columns. */
export const has = (header: readonly string[], columns: readonly string[]): boolean =>
  columns.every((column) => header.includes(column));
