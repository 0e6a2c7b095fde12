import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { newId } from '#core/runtime/id.js';
import { themeWith } from '#test/account/theme/theme-with.js';
import { contactOf, topicOf } from '#test/audience/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { exampleWith, isForPublishable, operations, requiredIds } from './support/operations.js';
import { makeThing } from './support/things.js';

/** The topic and the contact that the examples of audience name. */
const newsTopic = ({ svc }: TestAccount): Promise<unknown> => topicOf(svc);
const ada = ({ svc }: TestAccount): Promise<unknown> => contactOf(svc);
const adaAndNews = (account: TestAccount): Promise<unknown> => Promise.all([newsTopic(account), ada(account)]);

/** What must stand before the example goes through, beside the things that its ids name. */
const preparations: Readonly<Record<string, (account: TestAccount) => Promise<unknown>>> = {
  'audience.consent.grant': adaAndNews,
  'audience.consent.revoke': adaAndNews,
  'audience.event.record': ada,
  'audience.preferences.link': ada,
  'audience.topic.archive': newsTopic,
  'audience.topic.restore': newsTopic,
  'audience.topic.update': newsTopic,
  'account.theme.publish': ({ svc }) => svc.call('account.theme.draft.save', { theme: themeWith() }),
};

/** Fields that no example can know. */
const filledIn: Readonly<Record<string, (account: TestAccount) => Promise<object>>> = {
  'audience.preferences.set': async (account) => {
    await adaAndNews(account);
    const { token } = await account.svc.call('audience.preferences.link', { email: 'ada@example.com' });
    return { token };
  },
};

/**
 * Calls every write with its example and ids that exist. If the example of a new one does not succeed like this, add a preparation here or
 * an entry in support/things.ts.
 */
describe('A write repeated with its Idempotency-Key', () => {
  const platform = usePlatform({ settings: () => ({ SVC_SIGNUP: 'open' }) });
  const writes = operations.filter(({ impact }) => !impact.read);

  for (const operation of writes) {
    it(`${operation.name} answers the same bytes and writes nothing`, async () => {
      const account = await platform.account();
      await preparations[operation.name]?.(account);
      const ids: Record<string, string> = {};
      for (const field of requiredIds(operation)) {
        ids[field] = await makeThing(operation.product, field, { platform, account, side: 'live' });
      }
      const body = JSON.stringify(exampleWith(operation, { ...ids, ...(await filledIn[operation.name]?.(account)) }));
      const { secret, publishable } = account.keys.live;
      const options = { key: isForPublishable(operation) ? publishable : secret, idempotencyKey: newId() };

      const first = await platform.api.raw(pathOf(operation.name), body, options);
      expect(first.status, first.text).to.equal(200);
      expect(first.headers.get('idempotent-replayed')).to.equal(null);
      await platform.settled();
      const written = [await platform.count('svc_activity'), await platform.count('svc_event')];

      const repeat = await platform.api.raw(pathOf(operation.name), body, options);
      expect(repeat.text).to.equal(first.text);
      expect(repeat.status).to.equal(200);
      expect(repeat.headers.get('idempotent-replayed')).to.equal('true');
      expect([await platform.count('svc_activity'), await platform.count('svc_event')]).to.deep.equal(written);
    });
  }

  it('has preparations only for operations that exist', () => {
    const names = writes.map(({ name }) => name);
    expect([preparations, filledIn].flatMap((each) => Object.keys(each)).filter((name) => !names.includes(name))).to.be
      .empty;
  });
});
