import type { Operation } from '#core/kernel/operation.js';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { dashboardSession } from '#test/account/dashboard/support.js';
import { addMember } from '#test/account/support.js';
import { themeWith } from '#test/account/theme/theme-with.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import { texts } from '#test/email/template/support.js';
import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import type { ProductName } from '#test/support/products.js';
import { activeAutomation } from '#test/email/automation/support.js';
import { arrivedFromGitHub, githubApp } from '#test/auth/oauth/github-app.js';
import { filledInForPayments } from '#test/billing/payment/contract.js';
import { operatorKey } from '#test/billing/support.js';
import { passkeyAnswers } from '#test/auth/passkey/contract.js';
import { startedLink } from '#test/auth/support.js';
import { filledInForAuth } from './auth.js';
import { contracts, sideFor } from './contracts.js';
import { exampleWith, keyFor } from './operations.js';
import { smsPreparations } from './sms.js';
import { makeThings, type Place } from './things.js';

/** The topic and the contact that the examples of audience name. */
const newsTopic = ({ svc }: TestAccount): Promise<unknown> => topicOf(svc);
const ada = ({ svc }: TestAccount): Promise<unknown> => contactOf(svc);
const adaAndNews = (account: TestAccount): Promise<unknown> => Promise.all([newsTopic(account), ada(account)]);

/** The draft of the template that the examples of email name. */
const draft = ({ svc }: TestAccount): Promise<unknown> =>
  svc.call('email.template.draft.save', { template: 'order.shipped', locales: { en: texts() } });

/** What must stand before the example goes through, beside the things that its ids name. */
export const preparations: Readonly<Record<string, (account: TestAccount) => Promise<unknown>>> = {
  'auth.oauth.app.remove': ({ svc }) => svc.call('auth.oauth.app.set', githubApp),
  'auth.oauth.start': async ({ svc }) => {
    await svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    await svc.call('auth.oauth.app.set', githubApp);
  },
  'audience.consent.grant': adaAndNews,
  'audience.consent.revoke': adaAndNews,
  'audience.event.record': ada,
  'audience.preferences.link': ada,
  'audience.topic.archive': newsTopic,
  'audience.topic.restore': newsTopic,
  'audience.topic.update': newsTopic,
  'email.batch.send': async (account) => {
    await draft(account);
    await account.svc.call('email.template.publish', { template: 'order.shipped' });
  },
  'email.template.delete': draft,
  'email.template.publish': draft,
  ...smsPreparations,
  'account.theme.publish': ({ svc }) => svc.call('account.theme.draft.save', { theme: themeWith() }),
};

/** Fields that no example can know. */
export const filledIn: Readonly<Record<string, (account: TestAccount, platform: TestPlatform) => Promise<object>>> = {
  ...filledInForAuth,
  ...filledInForPayments,
  // A disabled provider is not asked for its discovery document, and GitHub has none.
  'auth.oauth.app.set': async () => ({ enabled: false }),
  'audience.suppression.lift': async ({ svc }) => {
    const { suppression } = await svc.call('audience.suppression.add', { email: 'bounced@example.com' });
    return { suppressionId: suppression.id };
  },
  'auth.oauth.app.remove': async () => ({ provider: 'github' }),
  'auth.oauth.complete': (account, platform) => arrivedFromGitHub(platform, account),
  'auth.oauth.start': async () => ({ provider: 'github' }),
  ...passkeyAnswers,
  'auth.link.complete': async ({ live }, platform) => ({ token: await startedLink(platform, live) }),
  'account.member.accept': async (account, platform) => {
    const token = `svc_iv_${randomToken(43)}`;
    await addMember(platform, account, { role: 'viewer', status: 'invited', email: 'ada@example.com', token });
    const { accessToken } = await dashboardSession(platform, 'ada@example.com');
    return { token, accessToken };
  },
  'email.automation.pause': async ({ svc }) => ({ automationId: (await activeAutomation(svc)).id }),
  'email.automation.run.cancel': async (account) => {
    const { id: automationId } = await activeAutomation(account.svc);
    const { contact } = await account.svc.call('audience.contact.upsert', { email: 'run@example.com' });
    await account.svc.call('audience.event.record', { contactId: contact.id, name: 'signup' });
    const { runs } = await account.svc.call('email.automation.run.list', { automationId });
    return { runId: runs[0]?.id ?? '' };
  },
  'audience.preferences.set': async (account) => {
    await adaAndNews(account);
    const { token } = await account.svc.call('audience.preferences.link', { email: 'ada@example.com' });
    return { token };
  },
};

/** Products that the example of a write needs beside its own. */
export const alsoNeeded: Readonly<Record<string, readonly ProductName[]>> = Object.fromEntries(
  [
    'account.member.invite',
    'auth.identity.add',
    'auth.identity.remove',
    'auth.org.invite.accept',
    'auth.org.invite.create',
    'auth.org.invite.revoke',
    'auth.passkey.remove',
    'auth.password.remove',
    'auth.signin.start',
  ].map((name) => [name, ['email']] as const),
);

/** A call of a write with its example and ids that exist, which goes through. */
interface WriteCall {
  body: string;
  key: string;
  /** Where the call goes to. */
  place: Place;
}

/**
 * Makes what the example of a write needs, in the account's live environment, or in its test one where only that one
 * may call it.
 */
export async function prepareWrite(
  operation: Operation,
  platform: TestPlatform,
  account: TestAccount,
): Promise<WriteCall & { ids: Readonly<Record<string, string>> }> {
  await preparations[operation.name]?.(account);
  const place: Place = { platform, account, side: sideFor(operation) };
  const ids = await makeThings(operation, place);
  const body = JSON.stringify(
    exampleWith(operation, {
      ...ids,
      ...(await filledIn[operation.name]?.(account, platform)),
      ...(await contracts.get(operation.product)?.preparations?.[operation.name]?.(place)),
    }),
  );
  const key = operation.access === 'operator' ? operatorKey(platform) : keyFor(operation, account, place.side);
  return { body, key, place, ids };
}

/** What a contract test says of an example that is refused. */
export const refusedExample = ({ name, product }: Operation, answer: string): string =>
  `${name} refuses its example: ${answer}. Where something must exist first, make it in preparations of test/${product}/contract.ts; where only a test environment may call, name it in testEnvironmentOnly there (test/contract/support/contract.ts)`;
