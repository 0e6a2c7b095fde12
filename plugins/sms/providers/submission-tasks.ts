import type { RegistrationFee } from '../registration-data/fees.js';
import type { Submission, ProviderRefs, RegistrationStatus, ProviderProblem, ProviderResult } from './provider.js';

/** The result of a task: what it created, that the carriers have not decided, or what they want corrected. */
export type TaskOutcome =
  | { readonly kind: 'made'; readonly refs: ProviderRefs; readonly fee?: RegistrationFee }
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'refused';
      readonly stage: 'action_needed' | 'failed';
      readonly problems: RegistrationStatus['problems'];
    }
  | ({ readonly kind: 'not_done' } & ProviderProblem);

/** One call of a submission. A completed task is not repeated, unless `refsToResubmit` removes its mark. */
export interface SubmissionTask {
  readonly name: string;
  /** The stage of the registration while this one is next. */
  readonly stage: 'submitted' | 'registering';
  run(submission: Submission): Promise<TaskOutcome>;
}

const doneOf = (name: string): string => `done.${name}`;

/** Runs the first task that is not completed. A registration whose tasks are all completed is active. */
export async function runNextTask(
  tasks: readonly SubmissionTask[],
  submission: Submission,
): Promise<ProviderResult<RegistrationStatus>> {
  const { refs } = submission;
  const index = tasks.findIndex(({ name }) => refs[doneOf(name)] === undefined);
  const task = tasks[index];
  if (!task) return { ok: true, value: { stage: 'active', problems: [], refs, next: 'never' } };
  const outcome = await task.run(submission);
  if (outcome.kind === 'not_done') return { ok: false, problem: outcome.problem, isTemporary: outcome.isTemporary };
  if (outcome.kind === 'waiting') return { ok: true, value: { stage: task.stage, problems: [], refs, next: 'later' } };
  if (outcome.kind === 'refused') {
    return { ok: true, value: { stage: outcome.stage, problems: outcome.problems, refs, next: 'never' } };
  }
  const following = tasks[index + 1];
  return {
    ok: true,
    value: {
      stage: following?.stage ?? 'active',
      problems: [],
      refs: { ...refs, ...outcome.refs, [doneOf(task.name)]: '1' },
      next: following ? 'now' : 'never',
      ...(outcome.fee === undefined ? {} : { fee: outcome.fee }),
    },
  };
}

/** Keeps the ids of what was created, which the tasks then change, and runs all tasks again. */
export const refsToResubmit = (refs: ProviderRefs): ProviderRefs =>
  Object.fromEntries(Object.entries(refs).filter(([name]) => !name.startsWith('done.')));

/** The result of a task that only adds a number to a registration. */
export const joined = (outcome: TaskOutcome): ProviderResult<null> =>
  outcome.kind === 'not_done'
    ? { ok: false, problem: outcome.problem, isTemporary: outcome.isTemporary }
    : { ok: true, value: null };
