import type { Condition } from '../conditions/condition.js';

/*
 * An automation's steps. Callers write them without ids. When stored, each step has an id that it keeps when the tree
 * is edited (diff.ts), because the position of a run is an id.
 */

export type VariableValue = string | number | boolean;

interface WaitStep {
  type: 'wait';
  seconds: number;
}
export interface SendStep {
  type: 'send';
  channel: 'email' | 'sms';
  template: string;
  topic: string;
  /** Only on email, where it is required. */
  from?: string;
  subject?: string;
  variables?: Readonly<Record<string, VariableValue>>;
}
export interface PropertyStep {
  type: 'property.set';
  key: string;
  value: VariableValue | null;
}
interface BranchStep {
  type: 'branch';
  if: Condition;
  then: readonly Step[];
  else: readonly Step[];
}

/** A step as callers write and read it. */
export type Step = WaitStep | SendStep | PropertyStep | BranchStep;
export const stepTypes = ['wait', 'send', 'property.set', 'branch'] as const;

type WithId<S> = S & { readonly id: number };
export type StoredBranch = WithId<
  Omit<BranchStep, 'then' | 'else'> & { then: readonly StoredStep[]; else: readonly StoredStep[] }
>;
/** A step as it is stored. */
export type StoredStep = WithId<WaitStep> | WithId<SendStep> | WithId<PropertyStep> | StoredBranch;

/** A step and its place. */
export interface Place {
  readonly step: StoredStep;
  /** `steps[1].then[0]` */
  readonly path: string;
  /** The step after it: the next in its list, else the one after the surrounding branch; null at the end. */
  readonly next: number | null;
}

/** The places of a tree's steps, by id. */
export type StepIndex = ReadonlyMap<number, Place>;

/** Indexes a tree. */
export function indexSteps(steps: readonly StoredStep[]): StepIndex {
  const index = new Map<number, Place>();
  const walk = (list: readonly StoredStep[], path: string, after: number | null): void => {
    for (const [at, step] of list.entries()) {
      const here = `${path}[${at}]`;
      const next = list[at + 1]?.id ?? after;
      index.set(step.id, { step, path: here, next });
      if (step.type !== 'branch') continue;
      walk(step.then, `${here}.then`, next);
      walk(step.else, `${here}.else`, next);
    }
  };
  walk(steps, 'steps', null);
  return index;
}

/** The tree without its ids. */
export const withoutIds = (steps: readonly StoredStep[]): Step[] =>
  steps.map((step) => {
    if (step.type !== 'branch') {
      const { id: _id, ...rest } = step;
      return rest;
    }
    return { type: step.type, if: step.if, then: withoutIds(step.then), else: withoutIds(step.else) };
  });

/** Gives every step of a new tree an id, from `next` on. */
export function withNewIds(steps: readonly Step[], next: () => number): StoredStep[] {
  return steps.map((step) => {
    const id = next();
    if (step.type !== 'branch') return { ...step, id };
    return { ...step, id, then: withNewIds(step.then, next), else: withNewIds(step.else, next) };
  });
}

/** All send steps of a tree, each with its path. */
export function sendSteps(steps: readonly StoredStep[]): { step: WithId<SendStep>; path: string }[] {
  return [...indexSteps(steps).values()].flatMap(({ step, path }) => (step.type === 'send' ? [{ step, path }] : []));
}

/** The conditions of all branches of a tree, each with its path. */
export const branchConditions = (steps: readonly StoredStep[]): { condition: Condition; path: string }[] =>
  [...indexSteps(steps).values()].flatMap(({ step, path }) =>
    step.type === 'branch' ? [{ condition: step.if, path: `${path}.if` }] : [],
  );
