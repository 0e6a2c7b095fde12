import type { FullContext, Context } from '#core/kernel/context.js';
import type { Session } from '#core/runtime/database/session.js';
import { joined } from '#core/runtime/database/statement.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { completeMany, lockLeases, postponeMany, restartAttempts } from '#core/runtime/work/queue.js';
import { history, runs, type HistoryRow, type RunRow } from '../../tables/automation.js';
import { runQueue } from '../runs/queues.js';
import type { Applied } from './after-step.js';
import { applyAction } from './apply.js';
import { type PlannedStep, byEnvironment } from './step.js';
import { contacts, type PropertyOutcome } from '#plugins/audience/ports.js';

/**
 * The outcome of a step. `next`: it was taken, and the run continues immediately under the same lease. `again`: the
 * tree was edited since it was planned, and nothing was done. `done`: nothing is left to do under this lease.
 */
export type Taken = { readonly kind: 'next'; readonly run: RunRow } | { readonly kind: 'again' | 'done' };

/**
 * Takes steps: their messages, properties and events, the runs' new positions, their history and their queue rows
 * commit together, and only if the leases still hold. Each step is therefore taken once, regardless of crashes.
 *
 * The automations are locked against changes: a step commits before a pause, or not at all.
 * @returns one result per step, in their order
 */
export async function commitSteps(context: FullContext, steps: readonly PlannedStep[]): Promise<Taken[]> {
  const { db, clock } = context;
  const leased = await lockLeases(
    db,
    runQueue,
    steps.map(({ claim }) => claim),
  );
  const valid = steps.filter(({ claim }) => leased.has(claim));
  if (valid.length === 0) return steps.map(() => ({ kind: 'done' }));
  const state = await readState(db, valid);
  const held = valid.filter((step) => state.isHeld(step));
  const current = valid.filter((step) => !state.isHeld(step) && (state.isArchived(step) || state.isCurrent(step)));
  const taking = current.filter((step) => !state.isArchived(step));
  const properties = await setRunProperties(context, taking);

  const now = clock.now();
  const applied = new Map<PlannedStep, Applied>();
  for (const step of current)
    applied.set(
      step,
      state.isArchived(step)
        ? {
            run: {
              ...step.loaded.run,
              status: 'cancelled',
              nextAt: null,
              endedAt: now,
              endReason: 'automation_archived',
            },
          }
        : await applyAction(context, step, properties.get(step)),
    );
  await write(db, [...applied.values()]);
  await finishWork(db, applied, held);
  return steps.map((step): Taken => {
    if (!leased.has(step.claim) || held.includes(step)) return { kind: 'done' };
    const after = applied.get(step);
    if (!after) return { kind: 'again' };
    return isImmediate(after.run) ? { kind: 'next', run: after.run } : { kind: 'done' };
  });
}

/** Whether a run takes its next step immediately, because it has not ended and does not wait. */
const isImmediate = ({ status, entered }: RunRow): boolean => status === 'waiting' && !entered;

interface State {
  isHeld(step: PlannedStep): boolean;
  isArchived(step: PlannedStep): boolean;
  /** The run is at the same position as when the step was planned, and the tree is the same. */
  isCurrent(step: PlannedStep): boolean;
}

/** The fields that change with every step of a run. */
const stateKey = (row: { status: string; stepId: number; entered: boolean; stepsTaken: number }): string =>
  `${row.status} ${row.stepId} ${Number(row.entered)} ${row.stepsTaken}`;

/**
 * Reads and locks the state of the steps' automations until the transaction ends, and reads the state of their
 * accounts.
 */
async function readState(db: Session, steps: readonly PlannedStep[]): Promise<State> {
  const distinct = (ids: readonly string[]): Buffer[] => [...new Set(ids)].sort().map(idBytes);
  const [stored, automations, closed] = await Promise.all([
    // A run that continues keeps its lease. If the answer to an earlier COMMIT was lost, its row shows that the step
    // was taken.
    db.rows<{ id: Buffer; status: Buffer; step_id: number; entered: number; steps_taken: number }>(
      'SELECT id, status, step_id, entered, steps_taken FROM email_automation_run WHERE id IN (?) ORDER BY id FOR UPDATE',
      [distinct(steps.map(({ loaded }) => loaded.run.id))],
    ),
    db.rows<{ id: Buffer; status: Buffer; version: number }>(
      'SELECT id, status, version FROM email_automation WHERE id IN (?) ORDER BY id LOCK IN SHARE MODE',
      [distinct(steps.map(({ loaded }) => loaded.automation.id))],
    ),
    db.rows<{ id: Buffer }>('SELECT id FROM svc_environment WHERE id IN (?) AND closed_at IS NOT NULL', [
      distinct(steps.map(({ loaded }) => loaded.environment.id)),
    ]),
  ]);
  const stateKeys = new Map(
    stored.map((row) => {
      const { step_id: stepId, steps_taken: stepsTaken } = row;
      return [
        idText(row.id),
        stateKey({ status: row.status.toString(), stepId, entered: row.entered === 1, stepsTaken }),
      ];
    }),
  );
  const found = new Map(automations.map((row) => [idText(row.id), row]));
  const closedIds = new Set(closed.map(({ id }) => idText(id)));
  const statusOf = ({ loaded }: PlannedStep): string => found.get(loaded.automation.id)?.status.toString() ?? '';
  return {
    isHeld: (step) => statusOf(step) === 'paused' || closedIds.has(step.loaded.environment.id),
    isArchived: (step) => statusOf(step) === 'archived',
    isCurrent: ({ loaded: { run, automation } }) =>
      found.get(automation.id)?.version === automation.version && stateKeys.get(run.id) === stateKey(run),
  };
}

async function write(db: Session, applied: readonly Applied[]): Promise<void> {
  if (applied.length === 0) return;
  const entries = applied.flatMap(({ entry }): HistoryRow[] => (entry ? [entry] : []));
  await db.defer(
    joined([
      ...applied.map(({ run: { id, ...run } }) =>
        runs.updateRow(
          { id },
          {
            status: run.status,
            stepId: run.stepId,
            entered: run.entered,
            position: run.position,
            stepsTaken: run.stepsTaken,
            nextAt: run.nextAt,
            endedAt: run.endedAt,
            endReason: run.endReason,
            ...(run.context === '{}' ? { context: run.context } : {}),
          },
        ),
      ),
      ...(entries.length > 0 ? [history.insertRows(entries)] : []),
    ]),
  );
}

/**
 * Removes the queue rows of runs that ended, and releases the rows of runs that wait or are held. Runs that continue
 * keep their lease.
 */
async function finishWork(
  db: Session,
  applied: ReadonlyMap<PlannedStep, Applied>,
  held: readonly PlannedStep[],
): Promise<void> {
  const results = [...applied];
  await completeMany(
    db,
    runQueue,
    results.filter(([, { run }]) => run.status !== 'waiting').map(([{ claim }]) => claim),
  );
  // The attempts of a queue row count the attempts of one step (give-up.ts).
  await restartAttempts(
    db,
    runQueue,
    results.flatMap(([{ claim }, { run }]) => (isImmediate(run) && claim.attempts > 1 ? [claim] : [])),
  );
  await postponeMany(
    db,
    runQueue,
    [
      ...results.flatMap(([{ claim }, { run }]) =>
        run.status === 'waiting' && run.entered && run.nextAt ? [{ claim, dueAt: run.nextAt }] : [],
      ),
      ...held.map(({ claim, loaded: { run } }) => ({ claim, dueAt: run.nextAt ?? run.startedAt })),
    ],
    { anew: true },
  );
}

/** Sets the properties of the steps that set one, together for each environment. @returns the outcome of each */
async function setRunProperties(
  { use }: Pick<Context, 'use'>,
  steps: readonly PlannedStep[],
): Promise<ReadonlyMap<PlannedStep, PropertyOutcome>> {
  const outcomes = new Map<PlannedStep, PropertyOutcome>();
  const setting = steps.filter(({ plan }) => plan.action.kind === 'set');
  for (const group of byEnvironment(setting)) {
    const environment = group[0]?.loaded.environment;
    if (!environment) continue;
    const changes = group.flatMap(({ loaded: { run }, plan: { action } }) =>
      action.kind === 'set'
        ? [
            {
              contactId: run.contactId,
              activityId: run.activityId,
              key: action.property.key,
              value: action.property.value,
            },
          ]
        : [],
    );
    const set = await use(contacts).setProperties(environment, changes);
    for (const [index, step] of group.entries()) outcomes.set(step, set[index] ?? 'no_contact');
  }
  return outcomes;
}
