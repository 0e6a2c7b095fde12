import type { Context, FullContext } from '#core/kernel/context.js';
import { orIgnore, joined } from '#core/runtime/database/statement.js';
import { idBytes, idText, newId } from '#core/runtime/id.js';
import { enqueueStatement } from '#core/runtime/work/queue.js';
import { enrolments, runs, type AutomationRow, type RunRow } from '../../tables/automation.js';
import { runQueue } from '../runs/queues.js';
import { stepIndexOf, stepsOf, filterOf } from '../store.js';
import type { EventTriggers } from '#plugins/audience/ports.js';
import { activeAutomations } from './active.js';
import { evaluate } from '../conditions/evaluate.js';
import { readForConditions, scopeOf } from '../conditions/filter.js';

/** A contact to enrol. */
export interface Candidate {
  readonly automation: AutomationRow;
  readonly contactId: string;
  /** The person of the event, if it is not the contact. */
  readonly personId: string | null;
  /** The event, as JSON. */
  readonly context: string;
  /** The audit record of the call that led to the event. */
  readonly activityId: string | null;
}

/**
 * Enrols contacts: each gets a run that takes its first step immediately. An automation without `reenter` enrols each
 * contact once, no matter how many events arrive at the same time: the unique key of enrolments decides.
 * @returns the runs, in the order of the candidates; contacts that were enrolled before are left out
 */
export async function enrol(
  { db, clock, wake }: Pick<Context, 'db' | 'clock' | 'wake'>,
  candidates: readonly Candidate[],
): Promise<RunRow[]> {
  if (candidates.length === 0) return [];
  const now = clock.now();
  const wanted = candidates.map((candidate) => ({ candidate, run: newRun(candidate, now) }));
  const first = await firstRuns(
    db,
    wanted.map(({ run }) => run),
  );
  const enrolled = wanted.flatMap(({ candidate, run }) =>
    candidate.automation.reenter || first.has(run.id) ? [run] : [],
  );
  if (enrolled.length === 0) return [];
  const work = enrolled.map(({ id, automationId }) => ({
    id,
    partitionId: automationId,
    lane: 'bulk' as const,
    dueAt: now,
  }));
  await db.defer(joined([runs.insertRows(enrolled), enqueueStatement(runQueue, work)]));
  wake(runQueue.name);
  return enrolled;
}

function newRun({ automation, contactId, personId, context, activityId }: Candidate, now: Date): RunRow {
  const stepId = stepsOf(automation)[0]?.id ?? 0;
  return {
    id: newId(),
    environmentId: automation.environmentId,
    automationId: automation.id,
    contactId,
    personId,
    status: 'waiting',
    stepId,
    entered: false,
    position: stepIndexOf(automation).get(stepId)?.path ?? '',
    context,
    stepsTaken: 0,
    activityId,
    nextAt: now,
    startedAt: now,
    endedAt: null,
    endReason: null,
  };
}

/**
 * Records the contacts as enrolled. @returns ids of the runs that are the first of their contact in their automation
 */
async function firstRuns(db: Context['db'], wanted: readonly RunRow[]): Promise<ReadonlySet<string>> {
  // In the order of the key, so that two transactions that enrol the same contacts wait for each other and do not
  // deadlock.
  const keyed = [...wanted].sort((a, b) =>
    `${a.automationId}${a.contactId}` < `${b.automationId}${b.contactId}` ? -1 : 1,
  );
  const rowsOf = keyed.map(({ id, automationId, contactId }) => ({ automationId, contactId, runId: id }));
  await db.defer(orIgnore(enrolments.insertRows(rowsOf)));
  const rows = await db.rows<{ run_id: Buffer }>(
    'SELECT run_id FROM email_automation_enrolment WHERE (automation_id, contact_id) IN (?)',
    [keyed.map(({ automationId, contactId }) => [idBytes(automationId), idBytes(contactId)])],
  );
  return new Set(rows.map((row) => idText(row.run_id)));
}

/**
 * Provides the port `eventTriggers`: enrols a contact in the transaction that records the event. An environment without
 * an active automation for the event costs one indexed read.
 */
export const makeEventTriggers = (context: FullContext): EventTriggers => ({
  async recorded({ environment, contactId, name, properties }) {
    const triggered = await activeAutomations(context.db, [environment.id], [name]);
    if (triggered.length === 0) return [];
    const filters = triggered.flatMap((automation) => filterOf(automation) ?? []);
    const known = await readForConditions(context, environment.id, filters, [contactId]);
    const scope = scopeOf(known, contactId, properties);
    const matching = triggered.filter((automation) => {
      const filter = filterOf(automation);
      return filter === null || evaluate(filter, scope);
    });
    const json = JSON.stringify(properties);
    const candidates = matching.map((automation) => ({
      automation,
      contactId,
      personId: null,
      context: json,
      activityId: context.startedBy(),
    }));
    return (await enrol(context, candidates)).map(({ automationId }) => automationId);
  },
});
