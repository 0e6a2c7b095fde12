import type { RegistrationFee } from '../registration-data/fees.js';
import type { Submission, ProviderRefs, RegistrationStatus, ProviderProblem, ProviderResult } from './provider.js';

/** The result of a stage: what it created, that the carriers have not decided, or what they want corrected. */
export type StageOutcome =
  | { readonly kind: 'made'; readonly refs: ProviderRefs; readonly fee?: RegistrationFee }
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'refused';
      readonly stage: 'action_needed' | 'failed';
      readonly problems: RegistrationStatus['problems'];
    }
  | ({ readonly kind: 'not_done' } & ProviderProblem);

/** One call of a submission. A completed stage is not repeated, unless `refsToResubmit` removes its mark. */
export interface SubmissionStage {
  readonly name: string;
  /** The stage of the registration while this one is next. */
  readonly stage: 'submitted' | 'registering';
  run(submission: Submission): Promise<StageOutcome>;
}

const doneOf = (name: string): string => `done.${name}`;

/** Runs the first stage that is not completed. A registration whose stages are all completed is active. */
export async function runNextStage(
  stages: readonly SubmissionStage[],
  submission: Submission,
): Promise<ProviderResult<RegistrationStatus>> {
  const { refs } = submission;
  const index = stages.findIndex(({ name }) => refs[doneOf(name)] === undefined);
  const stage = stages[index];
  if (!stage) return { ok: true, value: { stage: 'active', problems: [], refs, next: 'never' } };
  const outcome = await stage.run(submission);
  if (outcome.kind === 'not_done') return { ok: false, problem: outcome.problem, isTemporary: outcome.isTemporary };
  if (outcome.kind === 'waiting') return { ok: true, value: { stage: stage.stage, problems: [], refs, next: 'later' } };
  if (outcome.kind === 'refused') {
    return { ok: true, value: { stage: outcome.stage, problems: outcome.problems, refs, next: 'never' } };
  }
  const following = stages[index + 1];
  return {
    ok: true,
    value: {
      stage: following?.stage ?? 'active',
      problems: [],
      refs: { ...refs, ...outcome.refs, [doneOf(stage.name)]: '1' },
      next: following ? 'now' : 'never',
      ...(outcome.fee === undefined ? {} : { fee: outcome.fee }),
    },
  };
}

/** Keeps the ids of what was created, which the stages then change, and runs all stages again. */
export const refsToResubmit = (refs: ProviderRefs): ProviderRefs =>
  Object.fromEntries(Object.entries(refs).filter(([name]) => !name.startsWith('done.')));

/** The result of a stage that only adds a number to a registration. */
export const joined = (outcome: StageOutcome): ProviderResult<null> =>
  outcome.kind === 'not_done'
    ? { ok: false, problem: outcome.problem, isTemporary: outcome.isTemporary }
    : { ok: true, value: null };
