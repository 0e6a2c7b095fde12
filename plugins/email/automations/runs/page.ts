import type { Environment } from '#core/kernel/caller/caller.js';
import { beforeId, cutPage, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { runs, type RunRow, type StoredRunStatus } from '../../tables/automation.js';
import { automationsWithWaiting, type RunStatus } from './status.js';

export interface RunFilter {
  readonly automationId?: string | undefined;
  readonly contactId?: string | undefined;
  /** The displayed status. */
  readonly status?: RunStatus | undefined;
}

type Condition = readonly [sql: string, value: Buffer | readonly Buffer[]];

/** A part of the runs that match a filter, and the index that lists it newest first, or leaves little to sort. */
interface Part {
  readonly index: 'environment' | 'environment_status' | 'automation' | 'automation_status' | 'contact';
  readonly where: readonly Condition[];
}

/**
 * The most automations with waiting runs for which an index range each is read. If there are more, all waiting runs of
 * the environment are searched.
 */
const mostRanges = 100;

/**
 * A page of an environment's runs, newest first. Each part is read along an index that has it in order. Without this,
 * the database intersects and sorts hundreds of thousands of runs for a page of fifty.
 * @throws invalid_input if `before` is not a value that a list returned
 */
export async function pageOfRuns(
  db: Pick<ReadSession, 'rows'>,
  environment: Environment,
  filter: RunFilter,
  { before, limit }: PageRequest,
): Promise<{ rows: RunRow[]; next: string | null }> {
  const parts = await partsOf(db, environment, filter);
  if (parts.length === 0) return { rows: [], next: null };
  const older: Condition[] = before === undefined ? [] : [['id < ?', beforeId(before)]];
  const read = parts.map(({ index, where }) => {
    const conditions = [...where, ...older];
    return {
      sql: `(SELECT id FROM email_automation_run FORCE INDEX (${index}) WHERE ${conditions.map(([sql]) => sql).join(' AND ')} ORDER BY id DESC LIMIT ?)`,
      parameters: [...conditions.map(([, value]) => value), limit + 1],
    };
  });
  const found = await db.rows<object>(
    `SELECT ${runs.columnList('run')} FROM (${read.map(({ sql }) => sql).join(' UNION ALL ')} ORDER BY id DESC LIMIT ?) page
     JOIN email_automation_run run ON run.id = page.id ORDER BY page.id DESC`,
    [...read.flatMap(({ parameters }) => parameters), limit + 1],
  );
  return cutPage(
    found.map((row) => runs.decode(row)),
    limit,
  );
}

async function partsOf(
  db: Pick<ReadSession, 'rows'>,
  environment: Environment,
  { automationId, contactId, status }: RunFilter,
): Promise<Part[]> {
  const own: Condition = ['environment_id = ?', idBytes(environment.id)];
  const withStatus = (stored: StoredRunStatus): Condition => ['status = ?', Buffer.from(stored)];
  const ofAutomation: Condition[] = automationId === undefined ? [] : [['automation_id = ?', idBytes(automationId)]];
  const parts: Part[] = [];
  if (status === undefined)
    parts.push({ index: automationId === undefined ? 'environment' : 'automation', where: [own, ...ofAutomation] });
  else if (status !== 'waiting' && status !== 'held')
    parts.push({
      index: automationId === undefined ? 'environment_status' : 'automation_status',
      where: [own, ...ofAutomation, withStatus(status)],
    });
  const shown = status === undefined ? [] : await automationsWithWaiting(db, status, environment, automationId);
  if (shown.length > mostRanges)
    parts.push({
      index: 'environment_status',
      where: [own, withStatus('waiting'), ['automation_id IN (?)', shown.map(idBytes)]],
    });
  else
    for (const id of shown)
      parts.push({
        index: 'automation_status',
        where: [own, ['automation_id = ?', idBytes(id)], withStatus('waiting')],
      });
  if (contactId === undefined) return parts;
  const ofContact: Condition = ['contact_id = ?', idBytes(contactId)];
  return parts.map(({ where }) => ({ index: 'contact', where: [...where, ofContact] }));
}
