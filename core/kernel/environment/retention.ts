import { dateTime, nullable } from '../schema/schema.js';
import { shift, dayMs } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import type { NotFoundWords } from './owned.js';

/** How long rows of a kind are kept. */
export interface Retention {
  /** The setting, such as SVC_MESSAGE_RETENTION_DAYS. */
  readonly variable: string;
  /** Undefined means no limit. */
  readonly days: number | undefined;
  /** The rows, and the event that their days count from: `messages that ended`. */
  readonly rows: string;
}

/** The time before which rows are deleted; undefined if all are kept. */
export const oldestKept = ({ days }: Pick<Retention, 'days'>, now: Date): Date | undefined =>
  days === undefined ? undefined : shift(now, -days * dayMs);

/** The field of a list's reply that states since when its rows are complete. @param rows as in Retention */
export const keptSince = ({ variable, rows }: Pick<Retention, 'variable' | 'rows'>) =>
  nullable(
    dateTime(
      `The list is complete since this time: ${rows} earlier are deleted because of their age (${variable}). Null if nothing is deleted.`,
    ),
  );

/** The value of `keptSince`. */
export const presentKeptSince = (retention: Pick<Retention, 'days'>, now: Date): string | null =>
  oldestKept(retention, now)?.toISOString() ?? null;

/** The text of not_found for an id. The row may have been deleted because of its age. */
export function notFoundOr(words: NotFoundWords, retention: Retention, id: string, now: Date): NotFoundWords {
  const oldest = oldestKept(retention, now);
  // Ids begin with their time (RFC 9562 5.7).
  if (!oldest || idBytes(id).readUIntBE(0, 6) >= oldest.getTime()) return words;
  const { rows, days, variable } = retention;
  return { ...words, lookup: `${rows} more than ${days} days ago are deleted (${variable}), and ${words.lookup}` };
}
