import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';

/** Something of a project that costs money or would start again unasked, so the project is not archived with it. */
interface OpenWork {
  /** With its number, for people: `2 open email broadcasts`. */
  readonly things: string;
  /** How to end it. */
  readonly nextStep: string;
}

/** What a product would leave open if these environments were archived. */
export interface OpenWorkFinder {
  find(environmentIds: readonly string[]): Promise<OpenWork[]>;
}

/**
 * Counts rows that keep a project open.
 * @param table a table with `environment_id` and `status`
 * @param how `words`: singular and plural
 */
export async function findOpen(
  db: Pick<ReadSession, 'rows'>,
  table: string,
  environmentIds: readonly string[],
  how: { statuses: readonly string[]; words: readonly [string, string]; nextStep: string },
): Promise<OpenWork[]> {
  const [row] = await db.rows<{ found: number }>(
    `SELECT COUNT(*) AS found FROM ${table} WHERE environment_id IN (?) AND status IN (?)`,
    [environmentIds.map(idBytes), how.statuses.map((status) => Buffer.from(status))],
  );
  const found = row?.found ?? 0;
  return found === 0 ? [] : [{ things: `${found} ${how.words[found === 1 ? 0 : 1]}`, nextStep: how.nextStep }];
}

/** Broadcasts that are scheduled, being sent or held: they keep a part of the account's spending cap reserved. */
export const openBroadcasts = ['scheduled', 'sending', 'held'] as const;

/** The stand-in for a product that is not enabled. */
export const nothingOpen = (): OpenWorkFinder => ({ find: () => Promise.resolve([]) });
