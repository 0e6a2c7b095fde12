import { shift } from '#core/runtime/clock.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import { evaluate } from '../conditions/evaluate.js';
import { readForConditions, scopeOf } from '../conditions/filter.js';
import { stepIndexOf } from '../store.js';
import type { SendStep, StoredBranch } from '../steps/tree.js';
import type { LoadedRun } from './load.js';
import { planSends } from './plan-send.js';
import { byEnvironment, type Action, type Plan, type PlanContext, type RunAt } from './step.js';

/**
 * Plans the next step of each run. It reads and renders, and changes nothing: one transaction makes the changes
 * (commit.ts).
 * @returns one plan per run, in their order
 */
export async function planSteps(context: PlanContext, loaded: readonly LoadedRun[]): Promise<Plan[]> {
  const actions = new Map<LoadedRun, Action>();
  const branches: RunAt<StoredBranch>[] = [];
  const sends: RunAt<SendStep>[] = [];
  for (const each of loaded) {
    const place = stepIndexOf(each.automation).get(each.run.stepId);
    if (!place) {
      actions.set(each, { kind: 'gone' });
      continue;
    }
    const { step, next } = place;
    if (step.type === 'wait') actions.set(each, waitAction(each, step.seconds, next, context.clock.now()));
    else if (step.type === 'property.set') actions.set(each, { kind: 'set', property: step, to: next });
    else if (step.type === 'branch') branches.push({ loaded: each, step, next });
    else sends.push({ loaded: each, step, next });
  }
  for (const [run, action] of await planBranches(context, branches)) actions.set(run, action);
  for (const [run, action] of await planSends(context, sends)) actions.set(run, action);
  return loaded.map((each) => {
    const place = stepIndexOf(each.automation).get(each.run.stepId);
    return {
      at: place ? { path: place.path, type: place.step.type } : null,
      action: actions.get(each) ?? { kind: 'gone' },
    };
  });
}

/**
 * The beginning or the end of a wait. Nothing about the contact is checked at the end: the next send step asks audience
 * whether the message may be sent (plan-send.ts).
 */
const waitAction = ({ run }: LoadedRun, seconds: number, next: number | null, now: Date): Action =>
  run.entered ? { kind: 'move', outcome: 'waited', to: next } : { kind: 'enter', until: shift(now, seconds * 1_000) };

async function planBranches(
  context: PlanContext,
  branches: readonly RunAt<StoredBranch>[],
): Promise<(readonly [LoadedRun, Action])[]> {
  const planned: (readonly [LoadedRun, Action])[] = [];
  for (const group of byEnvironment(branches)) {
    const environmentId = group[0]?.loaded.environment.id ?? '';
    const conditions = group.map(({ step }) => step.if);
    const ids = group.map(({ loaded }) => loaded.run.contactId);
    const known = await readForConditions(context, environmentId, conditions, ids);
    for (const { loaded, step, next } of group) {
      const { run } = loaded;
      const arm = evaluate(step.if, scopeOf(known, run.contactId, jsonRecord(run.context))) ? 'then' : 'else';
      planned.push([loaded, { kind: 'move', outcome: arm, to: step[arm][0]?.id ?? next }]);
    }
  }
  return planned;
}
