import { expect } from 'chai';
import type { Api } from '#test/support/api.js';
import { apiAt } from '#test/support/api.js';
import { keyOf, secretOf } from '#test/account/support.js';
import { signedIn } from '#test/auth/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { deliveriesOf, endpointAt, quiet, typesOf, useReceivers } from '../webhook/support.js';

describe('Events of a product that the key may not read', () => {
  needProducts('auth');
  const platform = usePlatform();
  const receiverOf = useReceivers();

  /** A key of the test environment that may not read auth. */
  async function withoutAuth(
    account: TestAccount,
    permissions = ['developers:read', 'developers:write'],
  ): Promise<Api> {
    const key = await secretOf(platform, account, { role: 'owner', permissions, environment: account.test });
    return apiAt(
      () => platform.running.address,
      () => key,
      () => platform.running.registry,
    );
  }
  const createUser = ({ svcTest }: TestAccount, n = 0): Promise<unknown> =>
    svcTest.call('auth.user.create', { email: `user-${n}@shop.example`, emailVerified: true });

  it('are left out of the log, page by page, and refused by name, wildcard and id', async () => {
    const account = await platform.account();
    const reader = await withoutAuth(account);
    for (let n = 0; n < 5; n += 1) {
      await createUser(account, n);
      await reader.call('developers.key.create', { name: `Key ${n}`, permissions: ['developers:read'] });
    }
    await platform.settled();
    const types: string[] = [];
    let before: string | null = null;
    do {
      const page: { events: { type: string }[]; nextBefore: string | null } = await reader.call(
        'developers.event.list',
        {
          limit: 2,
          ...(before === null ? {} : { before }),
        },
      );
      types.push(...page.events.map(({ type }) => type));
      before = page.nextBefore;
    } while (before !== null);
    expect(types).to.deep.equal(Array.from({ length: 5 }, () => 'developers.key.created'));
    const [event] = (await account.svcTest.call('developers.event.list', { types: ['auth.*'] })).events;
    if (!event) throw new Error('The account sees no event of auth.');
    for (const [operation, input] of [
      ['developers.event.list', { types: ['auth.*'] }],
      ['developers.event.list', { types: ['developers.key.created', 'auth.user.created'] }],
      ['developers.event.get', { eventId: event.id }],
      ['developers.webhook.deliveries.list', { eventId: event.id }],
    ] as const) {
      const refused = await reader.refusal(operation, input);
      expect(refused, operation).to.include({ status: 403, code: 'permission_required' });
      expect(refused.message).to.contain('auth:read');
    }
    const bySubject = await reader.call('developers.event.list', { subjectId: event.subject.id });
    expect(bySubject.events).to.deep.equal([]);
  });

  it('reach no endpoint that it makes or changes', async () => {
    const account = await platform.account();
    const maker = await withoutAuth(account);
    const [everything, owners] = [await receiverOf(), await receiverOf()];
    const { endpointId } = await endpointAt(maker, everything, []);
    const whole = await endpointAt(account.svcTest, owners, []);
    for (const [operation, input] of [
      ['developers.webhook.create', { url: everything.url, eventTypes: ['auth.user.created'] }],
      ['developers.webhook.update', { endpointId, eventTypes: ['auth.*'] }],
      ['developers.webhook.update', { endpointId: whole.endpointId, url: everything.url }],
    ] as const)
      expect(await maker.refusal(operation, input), operation).to.include({ code: 'permission_required' });
    await maker.call('developers.webhook.update', { endpointId: whole.endpointId, description: 'Ours' });
    await quiet(platform);
    for (const each of [everything, owners]) each.received.splice(0);
    await createUser(account);
    await maker.call('developers.key.create', { name: 'Shop', permissions: ['developers:read'] });
    await quiet(platform);
    expect(typesOf(everything)).to.deep.equal(['developers.key.created']);
    expect(typesOf(owners)).to.include.members(['auth.user.created', 'developers.key.created']);
  });

  it('are not sent to an address that it sets while they wait', async () => {
    const account = await platform.account();
    const changer = await withoutAuth(account);
    const [owners, elsewhere] = [await receiverOf(), await receiverOf()];
    const narrowed = await endpointAt(account.svcTest, owners, ['auth.*']);
    const moved = await endpointAt(account.svcTest, owners, ['auth.*']);
    for (const { endpointId } of [narrowed, moved]) await changer.call('developers.webhook.disable', { endpointId });
    await createUser(account);
    await quiet(platform);
    // One that it narrows itself, and one that the owner narrowed.
    await changer.call('developers.webhook.update', { endpointId: narrowed.endpointId, eventTypes: ['developers.*'] });
    await account.svcTest.call('developers.webhook.update', {
      endpointId: moved.endpointId,
      eventTypes: ['developers.*'],
    });
    for (const { endpointId } of [narrowed, moved]) {
      await changer.call('developers.webhook.update', { endpointId, url: elsewhere.url });
      await changer.call('developers.webhook.enable', { endpointId });
    }
    await quiet(platform);
    expect(typesOf(elsewhere).filter((type) => type.startsWith('auth.'))).to.deep.equal([]);
    expect(typesOf(elsewhere)).to.include('developers.webhook.enabled');
    const withheld = await deliveriesOf(account.svcTest, moved.endpointId, 'dead');
    expect(withheld.map(({ eventType }) => eventType)).to.deep.equal(['auth.user.created']);
    expect(withheld[0]?.error).to.contain('auth:read');
  });

  it('have deliveries that it neither sees nor sends again', async () => {
    const account = await platform.account();
    const reader = await withoutAuth(account);
    const receiver = await receiverOf();
    receiver.answer = (_, response) => void response.writeHead(500).end('no');
    const { endpointId } = await endpointAt(account.svcTest, receiver, ['auth.user.created']);
    await createUser(account);
    await receiver.waitFor(1);
    await quiet(platform);
    const [delivery] = await deliveriesOf(account.svcTest, endpointId, 'failed');
    const deliveryId = delivery?.deliveryId ?? '';
    expect((await reader.call('developers.webhook.deliveries.list', { endpointId })).deliveries).to.deep.equal([]);
    for (const operation of ['developers.webhook.delivery.get', 'developers.webhook.delivery.replay'] as const)
      expect(await reader.refusal(operation, { deliveryId }), operation).to.include({ code: 'permission_required' });
    const all = { endpointId, eventTypes: ['auth.*'] };
    expect(await reader.refusal('developers.webhook.deliveries.replay', all)).to.include({
      code: 'permission_required',
    });
    expect(await reader.call('developers.webhook.deliveries.replay', { endpointId })).to.deep.equal({ replayed: 0 });
  });

  it('are left out of an audit record’s events', async () => {
    const account = await platform.account();
    const input = { email: 'ada@shop.example', emailVerified: true };
    const { activityId } = await account.svcTest.envelope('auth.user.create', input);
    const reader = await withoutAuth(account, ['account:read', 'developers:read']);
    expect((await reader.call('account.activity.get', { activityId })).events).to.deep.equal([]);
    const { events } = await account.svcTest.call('account.activity.get', { activityId });
    expect(events.map(({ type }) => type)).to.include('auth.user.created');
  });
});

describe('Audit records of a product that the key may not read', () => {
  needProducts('auth');
  const platform = usePlatform();

  it('say what was called, when, by whom and on what, and nothing that only the product shows', async () => {
    const account = await platform.account();
    const { svcTest } = account;
    const { activityId, result } = await svcTest.envelope('auth.user.create', {
      email: 'ada@shop.example',
      emailVerified: true,
      privateMetadata: { note: 'blacklisted' },
    });
    const { key } = await svcTest.call('developers.key.current', {});
    const permissions = ['account:read'];
    const reader = await keyOf(platform, account, { role: 'owner', permissions, environment: account.test });
    const { activity } = await reader.call('account.activity.get', { activityId });
    expect(activity).to.deep.include({
      id: activityId,
      operation: 'auth.user.create',
      subject: { type: 'user', id: result.user.id },
      summary: 'Called auth.user.create. The details require auth:read.',
      changes: [],
      ip: '',
      userAgent: null,
    });
    expect(activity.actor).to.deep.equal({ kind: 'key', id: key?.id, label: key?.name });
    const { activities } = await reader.call('account.activity.list', { subjectId: result.user.id });
    expect(activities).to.deep.equal([activity]);
    const whole = (await svcTest.call('account.activity.get', { activityId })).activity;
    expect(JSON.stringify(whole.changes)).to.contain('ada@shop.example');
    expect(whole.ip).to.not.equal('');
    expect(activity.createdAt).to.equal(whole.createdAt);
    for (const secret of ['ada@shop.example', 'blacklisted'])
      expect(JSON.stringify([activity, activities])).to.not.contain(secret);
  });

  it('name a user who called by the id, and show records of the products that it may read', async () => {
    const account = await platform.account();
    const { userId, accessToken } = await signedIn(platform, account.test, { email: 'bob@shop.example' });
    const asUser = { key: account.keys.test.publishable };
    const input = { accessToken, name: 'Bob Builder' };
    const { activityId } = await account.svcTest.envelope('auth.me.update', input, asUser);
    const permissions = ['account:read', 'developers:read'];
    const reader = await keyOf(platform, account, { role: 'owner', permissions, environment: account.test });
    const { activity } = await reader.call('account.activity.get', { activityId });
    expect(activity.actor).to.deep.equal({ kind: 'user', id: userId, label: userId });
    expect(JSON.stringify(activity)).to.not.contain('bob@shop.example').and.not.contain('Builder');
    const made = await account.svcTest.envelope('developers.key.create', { name: 'Shop', permissions });
    const shown = (await reader.call('account.activity.get', { activityId: made.activityId })).activity;
    expect([shown.summary, shown.changes.length]).to.deep.equal(['Created the secret key “Shop”.', 1]);
    expect(shown.ip).to.not.equal('');
  });
});
