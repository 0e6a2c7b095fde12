import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { ActivityValue } from '#core/kernel/audit/resource.js';
import { pathOf } from '#core/kernel/operation.js';
import { themeWith } from '#test/account/theme/theme-with.js';
import type { TestAccount } from '#test/support/platform.js';
import { paymentContractSettings } from '#test/billing/payment/contract.js';
import { useDns, type TestDns } from '#test/support/dns.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { at, isRecord } from '#test/support/json.js';
import { operations } from './support/operations.js';
import { apiOf, type Place } from './support/place.js';
import { alsoNeeded, prepareWrite, refusedExample } from './support/write-calls.js';

type Ids = Readonly<Record<string, string>>;
type Before = (account: TestAccount, ids: Ids, dns: TestDns) => Promise<unknown>;

/** What to do first so that the example changes something. */
const before: Readonly<Record<string, Before>> = {
  'account.reopen': ({ svc }) => svc.call('account.close', { reason: 'For a while.' }),
  'account.theme.reset': async ({ svc }) => {
    await svc.call('account.theme.draft.save', { theme: themeWith() });
    await svc.call('account.theme.publish', {});
  },
  'audience.topic.restore': ({ svc }) => svc.call('audience.topic.archive', { topic: 'news' }),
  'audience.topic.update': ({ svc }) => svc.call('audience.topic.update', { topic: 'news', name: 'Another name' }),
  'developers.webhook.enable': ({ svc }, { endpointId = '' }) => svc.call('developers.webhook.disable', { endpointId }),
  'email.domain.verify': async ({ svc }, { domainId = '' }, dns) =>
    dns.publish((await svc.call('email.domain.get', { domainId })).domain.records),
  'email.domain.receiving.disable': ({ svc }, { domainId = '' }) =>
    svc.call('email.domain.receiving.enable', { domainId }),
  'auth.user.unban': ({ svc }, { userId = '' }) => svc.call('auth.user.ban', { userId }),
  'sms.settings.reset': ({ svc }) => svc.call('sms.settings.set', { maxSegments: 1 }),
  'auth.settings.reset': ({ svc }) => svc.call('auth.settings.set', { accessTokenSeconds: 600 }),
  'developers.webhook.update': ({ svc }, { endpointId = '' }) =>
    svc.call('developers.webhook.update', { endpointId, eventTypes: ['developers.*'] }),
};

/** Retry-safe operations whose repeat makes something new each time. */
const makesAnother = new Set(['audience.preferences.link']);
/** Operations whose example finds nothing to do; their own tests cover the changes. */
const nothingToDo = new Set(['developers.webhook.deliveries.replay']);

/** The resources in a reply: the result itself and the objects in it. */
const resourcesIn = (result: unknown): Record<string, unknown>[] =>
  isRecord(result) ? [result, ...Object.values(result).filter(isRecord)] : [];

/**
 * Calls every write with its example. If the example of a new one changes nothing, make something for it to change in
 * the preparations of test/<product>/contract.ts.
 */
describe('The audit record of a write', () => {
  const names = useDns();
  const platform = usePlatform({
    settings: async () => ({ SVC_SIGNUP: 'open', ...(await names.settings()), ...(await paymentContractSettings()) }),
  });

  /** The audit record of an answer. Signing up opens a new account, and only that account can read it. */
  async function recorded(place: Place, text: string): Promise<ActivityValue> {
    const answer: unknown = JSON.parse(text);
    const opened = at(answer, 'result', 'keys', 'secret');
    const options = typeof opened === 'string' ? { key: opened } : {};
    const input = { activityId: String(at(answer, 'activityId')) };
    return (await apiOf(place).call('account.activity.get', input, options)).activity;
  }

  for (const operation of operations.filter(({ impact }) => !impact.read)) {
    const { name, impact } = operation;
    itNeeding(...(alsoNeeded[name] ?? []))(
      `${name} names what changed${impact.retrySafe ? ', and says that a repeat changed nothing' : ''}`,
      async () => {
        const account = await platform.account();
        const { body, key, ids, place } = await prepareWrite(operation, platform, account);
        await before[name]?.(account, ids, names.dns);
        platform.clock.advance(1_000);
        const first = await platform.api.raw(pathOf(name), body, { key });
        expect(first.status, refusedExample(operation, first.text)).to.equal(200);
        const { summary, changes } = await recorded(place, first.text);
        const isNothing = nothingToDo.has(name);
        expect(changes.length === 0, `the handler’s audit({ changes }) names ${JSON.stringify(changes)}`).to.equal(
          isNothing,
        );
        expect(summary.startsWith('Nothing changed: '), summary).to.equal(isNothing);
        for (const { field, from, to } of changes) {
          // A new secret has no values to show.
          if (to !== '(withheld)') expect(from, field).not.to.deep.equal(to);
          const shown = resourcesIn(at(JSON.parse(first.text), 'result')).filter((each) => field in each);
          const isShown = shown.length === 0 || field === 'definition' || to === '(withheld)';
          expect(
            isShown || shown.some((each) => isSame(each[field], to)),
            `${field} is ${JSON.stringify(to)}`,
          ).to.equal(true);
        }
        if (!impact.retrySafe || makesAnother.has(name)) return;
        platform.clock.advance(1_000);
        const again = await platform.api.raw(pathOf(name), body, { key });
        expect(again.status, again.text).to.equal(200);
        const repeat = await recorded(place, again.text);
        expect(repeat.changes, 'audit({ changes }) of a repeat').to.deep.equal([]);
        expect(repeat.summary, 'what audit({ unchanged }) adds').to.match(/^Nothing changed: /);
      },
    );
  }
});

/** MySQL orders the keys of a JSON column by their length. */
const isSame = isDeepStrictEqual;
