import type { Environment } from '#core/kernel/caller/caller.js';
import { definePort } from '#core/kernel/port.js';
import type { BlockedBy } from '#core/messaging/blocked.js';
import type { OpenWorkFinder } from '#core/messaging/broadcasts/open-work.js';
import type { BroadcastHolds } from '#core/messaging/broadcasts/past-due.js';
import type { ReadinessProblem } from '#core/messaging/readiness.js';
import type { PublishedTemplate } from '#core/messaging/templates/published.js';
import type { StepFailure } from '#core/messaging/templates/step-failure.js';
import type { Referrer } from '#core/messaging/references.js';
import type { AutomationRunValue } from '#plugins/email/ports.js';
import type { NumberEligibility } from './messages/eligibility.js';
import type { Counted } from './segments.js';

/** Billing holds the broadcasts of accounts that are past due, and lets them continue. */
export const smsBroadcastHolds = definePort<BroadcastHolds>('sms.broadcastHolds');

/** A send step on sms that a run has reached. */
export interface TextStep {
  readonly template: string;
  readonly topic: string;
  readonly contact: { readonly id: string; readonly phone: string | null; readonly locale: string | null };
  /** The values of the template's variables. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What a step will do. `suppress`: the contact may not get it, and the run continues; `fail`: the run ends. */
export type PlannedText =
  /** `by`: the consent or suppression that stops it; null if something else does. */
  | { readonly kind: 'suppress'; readonly reason: string; readonly by: BlockedBy | null }
  | ({ readonly kind: 'fail' } & StepFailure)
  | { readonly kind: 'text'; readonly text: AcceptedStep };

/** The step that an event is about. */
export interface StepPlace {
  /** Such as steps[0]. */
  readonly step: string;
  readonly automationId: string;
  readonly run: AutomationRunValue;
  /** The audit record of the call that led to the run. */
  readonly activityId: string | null;
}

/** The send steps of automations on sms. */
export interface AutomationTexts {
  /** Why no text could be sent now; null if one could. */
  problem(environment: Environment): Promise<ReadinessProblem | null>;
  /**
   * The published versions of text templates.
   * @returns by name, absent if nothing is published; null if sms is not enabled
   */
  templates(environmentId: string, names: readonly string[]): Promise<ReadonlyMap<string, PublishedTemplate> | null>;
  /** The variables that a template needs in at least one of its languages and that `variables` does not contain. */
  missingVariables(
    environmentId: string,
    template: PublishedTemplate,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<readonly string[]>;
  /** @throws template_not_published */
  markTemplateReferenced(environmentId: string, template: string, referrer: Referrer): Promise<void>;
  /**
   * Records that an open broadcast or automation names a template that is missing or not published: once the template
   * is published, it is referenced.
   */
  markTemplateNamed(environmentId: string, template: string, referrer: Referrer): Promise<void>;
  freeReferences(referrerId: string): Promise<void>;
  /**
   * Plans steps: who may get the text, and its content. It changes nothing.
   * @returns one plan per step, in their order
   */
  plan(environment: Environment, steps: readonly TextStep[]): Promise<PlannedText[]>;
  /**
   * Stores and queues the text of a step, in the caller's transaction, and emits sms.automation.sent.
   * @returns its id; null, and sms.automation.suppressed, if it would exceed the spending cap
   */
  accept(environment: Environment, text: AcceptedStep, place: StepPlace): Promise<string | null>;
  /** Emits sms.automation.suppressed. */
  suppressed(environment: Environment, why: { reason: string; by: BlockedBy | null }, place: StepPlace): void;
}

export const automationTexts = definePort<AutomationTexts>('sms.automationTexts');

const disabled: ReadinessProblem = {
  code: 'sms_unavailable',
  message: 'Text messages cannot be sent: the product sms is not enabled in this deployment.',
  fix: 'Remove the SMS steps with email.automation.update, or ask the operator to enable sms.',
};

/** The stand-in if sms is not enabled: every step on sms is suppressed. */
export const noAutomationTexts = (): AutomationTexts => ({
  problem: () => Promise.resolve(disabled),
  templates: () => Promise.resolve(null),
  missingVariables: () => Promise.resolve([]),
  markTemplateReferenced: () => Promise.resolve(),
  markTemplateNamed: () => Promise.resolve(),
  freeReferences: () => Promise.resolve(),
  plan: (_environment, steps) =>
    Promise.resolve(steps.map(() => ({ kind: 'suppress', reason: 'sms_unavailable', by: null }))),
  accept: () => Promise.resolve(null),
  suppressed: () => undefined,
});

/** The text of a send step, as it was planned. */
interface AcceptedStep {
  readonly to: string;
  readonly from: string | null;
  readonly body: string;
  readonly counted: Counted;
  readonly topic: string;
  readonly template: { readonly name: string; readonly version: number; readonly locale: string };
  readonly eligibility: NumberEligibility;
}

/** What of SMS keeps a project from being archived: numbers and open broadcasts. */
export const smsOpenWork = definePort<OpenWorkFinder>('sms.openWork');
