import type { ReadContext } from '#core/kernel/context.js';
import type { BlockedBy } from '#core/messaging/blocked.js';
import { groupBy } from '#core/messaging/group-by.js';
import type { StepFailure } from '#core/messaging/templates/step-failure.js';
import type { Claim } from '#core/runtime/work/queue.js';
import type { NewMail } from '../../messages/accept.js';
import type { StepOutcome } from '../../tables/automation.js';
import type { PropertyStep } from '../steps/tree.js';
import type { PlannedText } from '#plugins/sms/ports.js';
import type { LoadedRun } from './load.js';

type AcceptedText = Extract<PlannedText, { kind: 'text' }>['text'];

/** What a run's next step does. `to` is the step after it, null at the end. */
export type Action =
  /** The step is no longer in the tree. */
  | { readonly kind: 'gone' }
  /** The contact does not exist. */
  | { readonly kind: 'erased' }
  | { readonly kind: 'enter'; readonly until: Date }
  | { readonly kind: 'move'; readonly outcome: StepOutcome; readonly to: number | null }
  | { readonly kind: 'set'; readonly property: PropertyStep; readonly to: number | null }
  | { readonly kind: 'mail'; readonly mail: NewMail; readonly to: number | null }
  | { readonly kind: 'text'; readonly text: AcceptedText; readonly to: number | null }
  | {
      readonly kind: 'suppress';
      readonly channel: 'email' | 'sms';
      readonly reason: string;
      /** The consent or suppression that stops it; null if something else does. */
      readonly by: BlockedBy | null;
      readonly to: number | null;
    }
  | ({ readonly kind: 'fail' } & StepFailure);

export interface Plan {
  /** The step's path and type; null if the step is gone. */
  readonly at: { readonly path: string; readonly type: string } | null;
  readonly action: Action;
}

export type PlanContext = Pick<ReadContext, 'db' | 'use' | 'deployment' | 'clock'>;

/** A run at a step of one type. */
export interface RunAt<S> {
  readonly loaded: LoadedRun;
  readonly step: S;
  readonly next: number | null;
}

/** A planned step of a leased run. */
export interface PlannedStep {
  readonly claim: Claim;
  readonly loaded: LoadedRun;
  readonly plan: Plan;
}

/** Groups by the run's environment, in the order of their ids. */
export function byEnvironment<T extends { readonly loaded: LoadedRun }>(items: readonly T[]): T[][] {
  const groups = groupBy(items, ({ loaded }) => loaded.environment.id);
  const idOf = ([first]: readonly T[]): string => first?.loaded.environment.id ?? '';
  return groups.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}
