import type { Environment } from '#core/kernel/caller/caller.js';
import type { FullContext } from '#core/kernel/context.js';
import { presentBlockedStep, type BlockedBy } from '#core/messaging/blocked.js';
import { findPublishedTemplates } from '#core/messaging/templates/published.js';
import { markTemplateReferenced, markTemplateNamed } from '#core/messaging/templates/references.js';
import { newId } from '#core/runtime/id.js';
import { metering } from '#plugins/billing/ports.js';
import { stateProblemOf } from '../broadcasts/readiness.js';
import { acceptText } from '../messages/accept.js';
import { usageOf } from '../messages/metering.js';
import type { AutomationTexts, StepPlace } from '../ports.js';
import { templateTables } from '../tables/template.js';
import { smsTemplates } from '../templates/channel.js';
import { missingTemplateVariables } from '../messages/missing-variables.js';
import { smsReferences } from '../tables/reference.js';
import { planTexts } from './plan.js';

/** Provides the port `automationTexts`. */
export const makeAutomationTexts = (context: FullContext): AutomationTexts => ({
  async problem(environment) {
    const problem = await stateProblemOf(context, environment);
    return problem && { ...problem, code: 'sms_unavailable' };
  },
  async templates(environmentId, names) {
    const refs = names.map((name) => ({ name }));
    const found = await findPublishedTemplates(context.db, templateTables, environmentId, refs);
    return new Map(found.flatMap((template) => (template ? [[template.name, template] as const] : [])));
  },
  missingVariables: (environmentId, template, variables) =>
    missingTemplateVariables(context.db, environmentId, template, variables),
  markTemplateReferenced: (environmentId, template, referrer) =>
    markTemplateReferenced(context.db, smsTemplates, smsReferences, { environmentId, template }, referrer),
  markTemplateNamed: (environmentId, template, referrer) =>
    markTemplateNamed(context.db, smsReferences, { environmentId, template }, referrer),
  freeReferences: (referrerId) => smsReferences.freeReferences(context.db, referrerId),
  plan: (environment, steps) => planTexts(context, environment, steps),

  async accept(environment, text, place) {
    const messageId = newId();
    const usages = [usageOf(messageId, text.to, text.counted.segments)];
    // Before it is recorded: the tiers that the month has reached without this text.
    const price = await context.use(metering).estimate(environment, usages);
    const refusal = await context.use(metering).recordWithinCap(environment, usages);
    if (refusal) {
      emitSuppressed(context, environment, { reason: 'spending_cap_reached', by: null }, place);
      return null;
    }
    const ofRun = contextOf(context, place);
    await acceptText(ofRun, {
      ...text,
      id: messageId,
      environment,
      isSystem: false,
      tags: {},
      automation: { id: place.automationId, runId: place.run.id },
      personId: null,
      sendAfter: null,
      price,
    });
    const { step, run } = place;
    const about = { subjectId: run.id, personId: run.contactId };
    ofRun.emit('sms.automation.sent', { ...about, data: { step, messageId, run } }, environment);
    return messageId;
  },
  suppressed: (environment, why, place) => emitSuppressed(context, environment, why, place),
});

function emitSuppressed(
  context: FullContext,
  environment: Environment,
  { reason, by }: { reason: string; by: BlockedBy | null },
  place: StepPlace,
): void {
  const { step, run } = place;
  const about = { subjectId: run.id, personId: run.contactId };
  const data = { step, reason, blocked: presentBlockedStep(by), run };
  contextOf(context, place).emit('sms.automation.suppressed', { ...about, data }, environment);
}

/**
 * The context of one run's step: its events belong to the call that led to the run, and wait behind the events of
 * single calls.
 */
const contextOf = (context: FullContext, { activityId }: StepPlace): FullContext => ({
  ...context,
  emit: (name, event, environment) => context.emit(name, { lane: 'bulk', activityId, ...event }, environment),
  startedBy: () => activityId,
});
