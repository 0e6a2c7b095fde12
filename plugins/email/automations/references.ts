import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { makersOf, SvcError } from '#core/kernel/errors/errors.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { audienceReferences, recipients } from '#plugins/audience/ports.js';
import { automationTexts } from '#plugins/sms/ports.js';
import { errors } from '../errors.js';
import { isVerifiedSender, markDomainReferenced } from '../senders/verified.js';
import type { AutomationRow } from '../tables/automation.js';
import { markTemplateReferenced, markTemplateNamed } from '../templates/references.js';
import { markReferenced, freeReferences } from '../senders/references.js';
import { stepsOf } from './store.js';
import { findStepTemplates } from './steps/templates.js';
import { sendSteps } from './steps/tree.js';

type Marking = Pick<Context, 'db' | 'use' | 'deployment'>;

/** Its refusal never leaves `markReferences`, so the operations need not declare it. */
const fail = makersOf<'sender_not_verified', SvcError>(
  { sender_not_verified: errors.sender_not_verified },
  (error) => error,
);

/**
 * Marks the topics, templates and domains of an automation as referenced, so that none is archived, deleted or removed
 * while it is active. Objects that cannot be used yet, which readiness reports, are marked by name: they are referenced
 * as soon as they can be used.
 */
export async function markReferences(
  context: Marking,
  environment: Environment,
  row: Pick<AutomationRow, 'id' | 'steps'>,
): Promise<void> {
  const referrer = { type: 'automation', id: row.id };
  const steps = sendSteps(stepsOf(row)).map(({ step }) => step);
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();
  const keys = distinct(steps.map(({ topic }) => topic));
  const facts = await context.use(recipients).topicFacts(environment.id, keys);
  try {
    const inAudience = context.use(audienceReferences);
    for (const topic of keys)
      if (facts.get(topic)?.archived === false) await inAudience.markReferenced(environment.id, { topic }, referrer);
      else await inAudience.markTopicNamed(environment.id, topic, referrer);
    const emails = steps.filter(({ channel }) => channel === 'email');
    const names = distinct(emails.map(({ template }) => template));
    const published = await findStepTemplates(context.db, environment.id, names);
    for (const name of names)
      if (published.has(name)) await markTemplateReferenced(context, environment.id, name, referrer);
      else await markTemplateNamed(context, environment.id, name, referrer);
    const texts = context.use(automationTexts);
    const textNames = distinct(steps.flatMap(({ channel, template }) => (channel === 'sms' ? [template] : [])));
    const publishedTexts = await texts.templates(environment.id, textNames);
    for (const name of textNames)
      if (publishedTexts?.has(name) === true) await texts.markTemplateReferenced(environment.id, name, referrer);
      else await texts.markTemplateNamed(environment.id, name, referrer);
    for (const from of distinct(emails.flatMap((step) => step.from ?? [])))
      if (await isVerifiedSender(context, environment, from))
        await markDomainReferenced({ ...context, fail }, environment, from, referrer);
      else await markReferenced(context.db, environment.id, { kind: 'domain', target: domainOf(from) }, referrer);
  } catch (error) {
    // One of them ended after it was looked up: the next attempt notices that.
    if (error instanceof SvcError)
      throw new RetryTransaction('A dependency of the automation was removed or archived just now.', { cause: error });
    throw error;
  }
}

/** Removes the references of an automation that is no longer active. */
export async function freeAutomation(
  { db, use }: Pick<Context, 'use'> & { readonly db: Session },
  automationId: string,
): Promise<void> {
  await use(audienceReferences).freeReferences(automationId);
  await use(automationTexts).freeReferences(automationId);
  await freeReferences(db, automationId);
}
