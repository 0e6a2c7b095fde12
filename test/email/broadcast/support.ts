import { eventually } from '#test/support/eventually.js';
import type { InputOf, ReplyOf } from '#test/support/api.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';

type Draft = InputOf<'email.broadcast.create'>;

/** An account with the topic news and a postal address, and its own sending domain. */
export interface Publisher extends TestAccount {
  readonly from: string;
}

export const publisher = async (platform: TestPlatform): Promise<Publisher> => publisherOf(await platform.account());

export async function publisherOf(account: TestAccount): Promise<Publisher> {
  await account.svc.call('audience.topic.create', { key: 'news', name: 'News' });
  const { ownAddress } = await account.svc.call('email.sender.get', {});
  await account.svc.call('email.sender.set', { fromName: 'Shop', legalAddress: 'Acme GmbH, Hauptstraße 1, Berlin' });
  return { ...account, from: ownAddress };
}

/** Contacts who have granted the topic news by email. */
export async function subscribe(
  { svc }: Pick<Publisher, 'svc'>,
  emails: readonly string[],
  fields: Omit<InputOf<'audience.contact.upsert'>, 'email' | 'consents'> = {},
): Promise<string[]> {
  const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
  const ids: string[] = [];
  for (const email of emails) {
    const { contact } = await svc.call('audience.contact.upsert', { email, consents, ...fields });
    ids.push(contact.id);
  }
  return ids;
}

/** A complete draft; `given` overrides its fields. */
export const draft = ({ from }: Pick<Publisher, 'from'>, given: Partial<Draft> = {}): Draft => ({
  name: 'November news',
  template: 'news',
  topic: 'news',
  from,
  ...given,
});

/** The codes of the problems that prevent sending a broadcast. */
export const problemsOf = ({ readiness }: ReplyOf<'email.broadcast.get'>): string[] =>
  readiness.problems.map(({ code }) => code);

/** A template's texts by locale. */
type Texts = Record<string, { subject: string; html?: string; text?: string }>;

/** Publishes a template. The first locale is its default one. */
export async function publish(
  { svc }: Pick<Publisher, 'svc'>,
  texts: Texts,
  { name = 'news' }: { name?: string } = {},
): Promise<void> {
  const [defaultLocale = 'en'] = Object.keys(texts);
  await svc.call('email.template.draft.save', { template: name, locales: texts, defaultLocale });
  await svc.call('email.template.publish', { template: name });
}

/** Creates and sends a broadcast. @returns its id */
export async function sendBroadcast(sender: Publisher, given: Partial<Draft> = {}): Promise<string> {
  const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender, given));
  await sender.svc.call('email.broadcast.send', { broadcastId: broadcast.id });
  return broadcast.id;
}

/** A broadcast as email.broadcast.get shows it. */
export const shown = async (
  { svc }: Pick<Publisher, 'svc'>,
  broadcastId: string,
): Promise<ReplyOf<'email.broadcast.get'>['broadcast']> =>
  (await svc.call('email.broadcast.get', { broadcastId })).broadcast;

/** Waits until a broadcast has a status. */
export const reached = (sender: Pick<Publisher, 'svc'>, broadcastId: string, status: string): Promise<void> =>
  eventually(async () => (await shown(sender, broadcastId)).status === status, `the broadcast is ${status}`);
