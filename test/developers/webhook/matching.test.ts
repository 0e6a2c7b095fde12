import { expect } from 'chai';
import { themeWith } from '#test/account/theme/theme-with.js';
import { emitAnything } from '#test/support/emit.js';
import { usePlatform } from '#test/support/platform.js';
import { endpointAt, quiet, rename, typesOf, useReceivers } from './support.js';

describe('An event is delivered', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('once to each endpoint that matches by exact name, by wildcard or without a filter', async () => {
    const [exact, wildcard, everything, mixed, none] = await Promise.all(Array.from({ length: 5 }, receiverOf));
    if (!exact || !wildcard || !everything || !mixed || !none) throw new Error('Expected five receivers.');
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, everything, []);
    await endpointAt(svcTest, exact, ['account.theme.draft_saved']);
    await endpointAt(svcTest, wildcard, ['account.*']);
    await endpointAt(svcTest, mixed, ['developers.key.created', 'account.*', 'account.theme.draft_saved']);
    await endpointAt(svcTest, none, ['account.closed']);
    await quiet(platform);
    for (const each of [exact, wildcard, everything, mixed, none]) each.received.splice(0);
    await rename(svcTest, 'Renamed');
    await svcTest.call('developers.key.create', { name: 'Shop', permissions: ['account:read'] });
    await svcTest.call('developers.webhook.test', { endpointId });
    await quiet(platform);
    expect(typesOf(exact)).to.deep.equal(['account.theme.draft_saved']);
    expect(typesOf(wildcard)).to.deep.equal(['account.theme.draft_saved']);
    expect(typesOf(mixed)).to.have.members(['account.theme.draft_saved', 'developers.key.created']);
    expect(typesOf(everything)).to.have.members([
      'account.theme.draft_saved',
      'developers.key.created',
      'developers.webhook.test',
    ]);
    expect(typesOf(none)).to.deep.equal([]);
  });

  it('only to endpoints of its own environment', async () => {
    const [mine, strangers] = [await receiverOf(), await receiverOf()];
    const [{ svc, svcTest }, stranger] = [await platform.account(), await platform.account()];
    await endpointAt(svcTest, mine);
    await endpointAt(stranger.svcTest, strangers);
    await rename(svc, 'In live');
    await quiet(platform);
    expect([mine.received, strangers.received]).to.deep.equal([[], []]);
    await rename(svcTest, 'In test');
    const [webhook] = await mine.waitFor(1);
    expect(webhook?.event.data).to.deep.nested.include({ 'draft.brandName': 'In test' });
    await quiet(platform);
    expect(strangers.received).to.deep.equal([]);
  });

  it('only after commit: a failed or idempotently repeated call emits nothing', async () => {
    const receiver = await receiverOf();
    const account = await platform.account();
    const { svcTest } = account;
    const { endpointId } = await endpointAt(svcTest, receiver, []);
    await quiet(platform);
    receiver.received.splice(0);
    const undone = platform.running.services
      .transaction('Test', async ({ actIn, emit }) => {
        actIn(account.test);
        emitAnything({ emit }, 'account.theme.draft_saved', { subjectId: account.accountId, data: {} });
        throw new Error('undone');
      })
      .catch((error: unknown) => (error instanceof Error ? error.message : ''));
    expect(await undone).to.equal('undone');
    const refused = { endpointId, eventTypes: ['no.such'] };
    expect((await svcTest.refusal('developers.webhook.update', refused)).code).to.equal('unknown_event_type');
    await quiet(platform);
    expect(receiver.received).to.deep.equal([]);
    const idempotencyKey = 'once';
    for (let call = 0; call < 3; call++)
      await svcTest.call('account.theme.draft.save', { theme: themeWith({ brandName: 'Once' }) }, { idempotencyKey });
    await quiet(platform);
    expect(typesOf(receiver)).to.deep.equal(['account.theme.draft_saved']);
  });

  it('in order of ids to an endpoint that responds immediately', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    await endpointAt(svcTest, receiver);
    for (let index = 0; index < 30; index++) {
      await rename(svcTest, `Renamed ${index}`);
      await receiver.waitFor(index + 1);
    }
    const ids = receiver.received.map(({ event }) => event.id);
    expect(new Set(ids).size).to.equal(30);
    expect(ids).to.deep.equal([...ids].sort());
  });
});
