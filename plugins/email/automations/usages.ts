import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { makersOf, SvcError } from '#core/kernel/errors/errors.js';
import { domainOf } from '#core/kernel/schema/email-address.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { audienceUsage, recipients } from '#plugins/audience/ports.js';
import { automationTexts } from '#plugins/sms/ports.js';
import { errors } from '../errors.js';
import { isVerifiedSender, markDomainInUse } from '../senders/verified.js';
import type { AutomationRow } from '../tables/automation.js';
import { markTemplateInUse, markTemplateNamed } from '../templates/usage.js';
import { markInUse, release } from '../senders/usage.js';
import { stepsOf } from './store.js';
import { findStepTemplates } from './steps/templates.js';
import { sendSteps } from './steps/tree.js';

type Marking = Pick<Context, 'db' | 'use' | 'deployment'>;

/** Its refusal never leaves `markUsages`, so the operations need not declare it. */
const fail = makersOf<'sender_not_verified', SvcError>(
  { sender_not_verified: errors.sender_not_verified },
  (error) => error,
);

/**
 * Marks the topics, templates and domains of an automation as in use, so that none is archived, deleted or removed
 * while it is active. Objects that cannot be used yet, which readiness reports, are marked by name: they are in use as
 * soon as they can be used.
 */
export async function markUsages(
  context: Marking,
  environment: Environment,
  row: Pick<AutomationRow, 'id' | 'steps'>,
): Promise<void> {
  const inUseBy = { type: 'automation', id: row.id };
  const steps = sendSteps(stepsOf(row)).map(({ step }) => step);
  const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();
  const keys = distinct(steps.map(({ topic }) => topic));
  const facts = await context.use(recipients).topicFacts(environment.id, keys);
  try {
    const inAudience = context.use(audienceUsage);
    for (const topic of keys)
      if (facts.get(topic)?.archived === false) await inAudience.markInUse(environment.id, { topic }, inUseBy);
      else await inAudience.markTopicNamed(environment.id, topic, inUseBy);
    const emails = steps.filter(({ channel }) => channel === 'email');
    const names = distinct(emails.map(({ template }) => template));
    const published = await findStepTemplates(context.db, environment.id, names);
    for (const name of names)
      if (published.has(name)) await markTemplateInUse(context, environment.id, name, inUseBy);
      else await markTemplateNamed(context, environment.id, name, inUseBy);
    const texts = context.use(automationTexts);
    const textNames = distinct(steps.flatMap(({ channel, template }) => (channel === 'sms' ? [template] : [])));
    const publishedTexts = await texts.templates(environment.id, textNames);
    for (const name of textNames)
      if (publishedTexts?.has(name) === true) await texts.markTemplateInUse(environment.id, name, inUseBy);
      else await texts.markTemplateNamed(environment.id, name, inUseBy);
    for (const from of distinct(emails.flatMap((step) => step.from ?? [])))
      if (await isVerifiedSender(context, environment, from))
        await markDomainInUse({ ...context, fail }, environment, from, inUseBy);
      else await markInUse(context.db, environment.id, { kind: 'domain', target: domainOf(from) }, inUseBy);
  } catch (error) {
    // One of them ended after it was looked up: the next attempt notices that.
    if (error instanceof SvcError)
      throw new RetryTransaction('A dependency of the automation was removed or archived just now.', { cause: error });
    throw error;
  }
}

/** Removes the usages of an automation that is no longer active. */
export async function releaseUsages(
  { db, use }: Pick<Context, 'use'> & { readonly db: Session },
  automationId: string,
): Promise<void> {
  await use(audienceUsage).release(automationId);
  await use(automationTexts).release(automationId);
  await release(db, automationId);
}
