import type { InputOf, ReplyOf } from '#test/support/api.js';
import { eventually } from '#test/support/eventually.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import { publish } from '../template/support.js';

type Draft = InputOf<'sms.broadcast.create'>;

/** A German mobile number for each n below 10,000. */
export const mobile = (n: number): string => `+491512345${String(n).padStart(4, '0')}`;

/** An account with the topic offers and the published text template sale. */
export async function texter(platform: TestPlatform, body = 'Sale!'): Promise<TestAccount> {
  const account = await platform.account();
  await account.svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
  await publish(account.svc, 'sale', { en: { body } });
  return account;
}

/** Contacts who have granted the topic offers on sms. @returns their ids */
export async function subscribe(
  { svc }: Pick<TestAccount, 'svc'>,
  phones: readonly string[],
  fields: Omit<InputOf<'audience.contact.upsert'>, 'phone' | 'consents'> = {},
): Promise<string[]> {
  const consents = [{ topic: 'offers', channel: 'sms' as const, source: 'form' }];
  const ids: string[] = [];
  for (const phone of phones) {
    const { contact } = await svc.call('audience.contact.upsert', { phone, consents, ...fields });
    ids.push(contact.id);
  }
  return ids;
}

export const draft = (given: Partial<Draft> = {}): Draft => ({
  name: 'November sale',
  template: 'sale',
  topic: 'offers',
  ...given,
});

/** The codes of the problems that prevent sending a broadcast. */
export const problemsOf = ({ readiness }: Pick<ReplyOf<'sms.broadcast.get'>, 'readiness'>): string[] =>
  readiness.problems.map(({ code }) => code);

/** Creates and sends a broadcast. @returns its id */
export async function sendBroadcast({ svc }: Pick<TestAccount, 'svc'>, given: Partial<Draft> = {}): Promise<string> {
  const { broadcast } = await svc.call('sms.broadcast.create', draft(given));
  await svc.call('sms.broadcast.send', { broadcastId: broadcast.id });
  return broadcast.id;
}

/** A broadcast as sms.broadcast.get shows it. */
export const shown = async (
  { svc }: Pick<TestAccount, 'svc'>,
  broadcastId: string,
): Promise<ReplyOf<'sms.broadcast.get'>['broadcast']> =>
  (await svc.call('sms.broadcast.get', { broadcastId })).broadcast;

/** Waits until a broadcast has a status. */
export const reached = (account: Pick<TestAccount, 'svc'>, broadcastId: string, status: string): Promise<void> =>
  eventually(async () => (await shown(account, broadcastId)).status === status, `the broadcast is ${status}`);
