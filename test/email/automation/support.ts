import type { Environment } from '#core/kernel/caller/caller.js';
import { projectDomain } from '#plugins/email/senders/sender.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import type { Api, InputOf, ReplyOf } from '#test/support/api.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

export type AutomationReply = ReplyOf<'email.automation.get'>['automation'];
export type RunReply = ReplyOf<'email.automation.run.get'>;

/** Publishes a template, in English by default. */
export async function storeTemplate(
  svc: Api,
  template: string,
  { subject = 'Hello', text = 'Hello', locale = 'en' }: { subject?: string; text?: string; locale?: string } = {},
): Promise<void> {
  await svc.call('email.template.draft.save', { template, locales: { [locale]: { subject, text } } });
  await svc.call('email.template.publish', { template });
}

/** The project's own sending address. */
export const ownAddress = (platform: TestPlatform, environment: Environment): Promise<string> =>
  platform.running.services.read('Test', async (context) => `hello@${await projectDomain(context, environment)}`);

/** What automations that send need: the topic `news`, a postal address, the template `welcome`. @returns a send step */
export async function readyToSend(platform: TestPlatform, { svc, live }: TestAccount): Promise<SendStepInput> {
  await topicOf(svc);
  await svc.call('email.sender.set', { legalAddress: 'Acme, 1 Main Street' });
  await storeTemplate(svc, 'welcome');
  return { type: 'send', template: 'welcome', topic: 'news', from: await ownAddress(platform, live) };
}

export interface SendStepInput extends Record<string, unknown> {
  type: 'send';
  template: string;
  topic: string;
  from: string;
}

export const wait = (seconds: number): Record<string, unknown> => ({ type: 'wait', seconds });
export const setProperty = (key: string, value: unknown): Record<string, unknown> => ({
  type: 'property.set',
  key,
  value,
});
export const branch = (
  condition: object,
  then: readonly object[] = [],
  otherwise: readonly object[] = [],
): Record<string, unknown> => ({ type: 'branch', if: condition, then, else: otherwise });

/** Creates an automation, by default one that `signup` triggers. */
export async function automationOf(
  svc: Api,
  facts: Partial<InputOf<'email.automation.create'>> = {},
): Promise<AutomationReply> {
  const input = { name: 'Welcome', triggerEvent: 'signup', steps: [wait(60)], ...facts };
  return (await svc.call('email.automation.create', input)).automation;
}

/** Creates and activates an automation. */
export async function activeAutomation(
  svc: Api,
  facts: Partial<InputOf<'email.automation.create'>> = {},
): Promise<AutomationReply> {
  const { id: automationId } = await automationOf(svc, facts);
  return (await svc.call('email.automation.activate', { automationId })).automation;
}

/** A contact who granted the topic `news` by email. */
export async function subscriberOf(svc: Api, email = 'ada@example.com'): Promise<string> {
  const { id: contactId } = await contactOf(svc, { email });
  await svc.call('audience.consent.grant', { contactId, topic: 'news', channel: 'email', source: 'test' });
  return contactId;
}

/** Records `signup` of a contact. @returns the automations that enrolled it */
export const signUp = async (
  svc: Api,
  contactId: string,
  properties: Record<string, unknown> = {},
): Promise<string[]> => (await svc.call('audience.event.record', { contactId, name: 'signup', properties })).enrolled;

/** The runs of an environment, oldest first. */
export async function runsOf(svc: Api, filter: InputOf<'email.automation.run.list'> = {}): Promise<RunReply['run'][]> {
  return (await svc.call('email.automation.run.list', { limit: 100, ...filter })).runs.reverse();
}

/** The only run of an automation, with its history. */
export async function runOf(svc: Api, automationId: string): Promise<RunReply> {
  const runs = await runsOf(svc, { automationId });
  if (runs.length !== 1) throw new Error(`There are ${runs.length} runs.`);
  return svc.call('email.automation.run.get', { runId: runs[0]?.id ?? '' });
}

/** What a run did, as lines: `steps[0] send sent`. */
export const linesOf = ({ history }: RunReply): string[] =>
  history.map(({ step, type, outcome, reason }) =>
    [step, type, outcome, ...(reason === null ? [] : [reason])].join(' '),
  );
