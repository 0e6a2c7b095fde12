import type { FilingFee } from '../filing/fees.js';
import type { Filing, FilingRefs, FilingStatus, ProviderProblem, ProviderResult } from './provider.js';

/** The result of a step: what it created, that the carriers have not decided, or what they want corrected. */
export type StepOutcome =
  | { readonly kind: 'made'; readonly refs: FilingRefs; readonly fee?: FilingFee }
  | { readonly kind: 'waiting' }
  | {
      readonly kind: 'refused';
      readonly stage: 'action_needed' | 'failed';
      readonly problems: FilingStatus['problems'];
    }
  | ({ readonly kind: 'not_done' } & ProviderProblem);

/** One call of a filing. A completed step is not repeated, unless `refsToRefile` removes its mark. */
export interface FilingStep {
  readonly name: string;
  /** The stage while this step is the next one. */
  readonly stage: 'submitted' | 'registering';
  run(filing: Filing): Promise<StepOutcome>;
}

const doneOf = (name: string): string => `done.${name}`;

/** Takes the first step that is not completed. A registration whose steps are all completed is active. */
export async function takeStep(steps: readonly FilingStep[], filing: Filing): Promise<ProviderResult<FilingStatus>> {
  const { refs } = filing;
  const index = steps.findIndex(({ name }) => refs[doneOf(name)] === undefined);
  const step = steps[index];
  if (!step) return { ok: true, value: { stage: 'active', problems: [], refs, next: 'never' } };
  const outcome = await step.run(filing);
  if (outcome.kind === 'not_done') return { ok: false, problem: outcome.problem, isTemporary: outcome.isTemporary };
  if (outcome.kind === 'waiting') return { ok: true, value: { stage: step.stage, problems: [], refs, next: 'later' } };
  if (outcome.kind === 'refused') {
    const { stage, problems } = outcome;
    return { ok: true, value: { stage, problems, refs, next: 'never' } };
  }
  const following = steps[index + 1];
  return {
    ok: true,
    value: {
      stage: following?.stage ?? 'active',
      problems: [],
      refs: { ...refs, ...outcome.refs, [doneOf(step.name)]: '1' },
      next: following ? 'now' : 'never',
      ...(outcome.fee === undefined ? {} : { fee: outcome.fee }),
    },
  };
}

/** Keeps the ids of what was created, which the steps then change, and takes all steps again. */
export const refsToRefile = (refs: FilingRefs): FilingRefs =>
  Object.fromEntries(Object.entries(refs).filter(([name]) => !name.startsWith('done.')));

/** The result of a step that only adds a number to a registration. */
export const joined = (outcome: StepOutcome): ProviderResult<null> =>
  outcome.kind === 'not_done'
    ? { ok: false, problem: outcome.problem, isTemporary: outcome.isTemporary }
    : { ok: true, value: null };
