import { count, map, object, type ValueOf } from '#core/kernel/schema/schema.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { AutomationRow } from '../../tables/automation.js';
import { stepIndexOf } from '../store.js';

/** The newest runs whose steps are counted. This keeps the statement short, however many runs there are. */
const mostRuns = 1_000;

export const Figures = object(
  {
    runs: count(`The runs that are counted: the newest ${mostRuns} of the automation.`),
    steps: map(
      object({
        entered: count('Runs that reached the step.'),
        here: count('Runs that are at the step now.'),
        sent: count('Messages that were accepted.'),
        blocked: count('Messages that were not sent: no consent, suppressed, no address.'),
        then: count('Runs that took the arm `then` of a branch.'),
        else: count('Runs that took the arm `else` of a branch.'),
        left: count('Runs that ended here before the end: cancelled or failed.'),
      }),
      'By the step’s position, such as steps[1].then[0]. A step is counted where it was when a run took it.',
    ),
  },
  { description: 'What happened at each step.' },
);
type FiguresValue = ValueOf<typeof Figures>;
type StepFigures = FiguresValue['steps'][string];

const none: StepFigures = { entered: 0, here: 0, sent: 0, blocked: 0, then: 0, else: 0, left: 0 };

/** Counts what the newest runs of an automation did at the steps that it has now. */
export async function figuresOf(db: Pick<ReadSession, 'rows'>, automation: AutomationRow): Promise<FiguresValue> {
  const newest = `SELECT id, status, step_id FROM email_automation_run FORCE INDEX (automation)
    WHERE automation_id = ? ORDER BY id DESC LIMIT ?`;
  const parameters = [idBytes(automation.id), mostRuns];
  const [taken, ends] = await Promise.all([
    db.rows<{ step: Buffer; type: Buffer; outcome: Buffer; found: number }>(
      `SELECT h.step, h.type, h.outcome, COUNT(*) AS found FROM (${newest}) run
       JOIN email_automation_history h ON h.run_id = run.id GROUP BY h.step, h.type, h.outcome`,
      parameters,
    ),
    db.rows<{ status: Buffer; step_id: number; found: number }>(
      `SELECT status, step_id, COUNT(*) AS found FROM (${newest}) run GROUP BY status, step_id`,
      parameters,
    ),
  ]);
  const index = stepIndexOf(automation);
  const types = new Map([...index.values()].map(({ path, step }) => [path, step.type]));
  const steps: Record<string, StepFigures> = Object.fromEntries([...types.keys()].map((path) => [path, none]));
  const add = (path: string, changes: Partial<StepFigures>): void => {
    const before = steps[path] ?? none;
    const names = ['entered', 'here', 'sent', 'blocked', 'then', 'else', 'left'] as const;
    const sums = names.map((name) => [name, before[name] + (changes[name] ?? 0)] as const);
    steps[path] = { ...before, ...Object.fromEntries(sums) };
  };
  for (const row of taken) {
    const [path, outcome, found] = [row.step.toString(), row.outcome.toString(), row.found];
    // Another step may have been at this place before an edit.
    if (types.get(path) !== row.type.toString()) continue;
    add(path, {
      entered: found,
      ...(outcome === 'sent' ? { sent: found } : {}),
      ...(outcome === 'suppressed' ? { blocked: found } : {}),
      ...(outcome === 'then' ? { then: found } : {}),
      ...(outcome === 'else' ? { else: found } : {}),
      ...(outcome === 'failed' ? { left: found } : {}),
    });
  }
  let runs = 0;
  for (const { status, step_id: id, found } of ends) {
    runs += found;
    const path = index.get(id)?.path;
    if (path === undefined) continue;
    const isOpen = status.toString() === 'waiting' && automation.status !== 'archived';
    if (isOpen) add(path, { here: found, entered: found });
    // A step that failed is in the history; a run that was cancelled was at a step without taking it.
    else if (status.toString() === 'cancelled' || status.toString() === 'waiting')
      add(path, { left: found, entered: found });
  }
  return { runs, steps };
}
