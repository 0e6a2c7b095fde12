import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

const nameIn = (account: unknown): unknown =>
  typeof account === 'object' && account !== null ? Reflect.get(account, 'name') : undefined;

describe('developers.event.list', () => {
  const platform = usePlatform();

  it('lists newest first with payloads, page by page, without duplicates or gaps during writes', async () => {
    const { svc } = await platform.account();
    for (let index = 0; index < 5; index++) await svc.call('account.update', { name: `Name ${index}` });
    await platform.settled();
    const names: unknown[] = [];
    for (let before: string | null = 'first'; before !== null;) {
      const input: { limit: number; before?: string } = before === 'first' ? { limit: 2 } : { limit: 2, before };
      const page = await svc.call('developers.event.list', input);
      names.push(...page.events.map(({ data }) => nameIn(data['account'])));
      await svc.call('account.update', { name: `Late ${names.length}` });
      before = page.nextBefore;
    }
    expect(names).to.deep.equal(['Name 4', 'Name 3', 'Name 2', 'Name 1', 'Name 0']);
  });

  itNeeding('email')(
    'filters by types, exactly and by wildcard, by subject and by time, alone and together',
    async () => {
      const { svc, accountId } = await platform.account();
      await svc.call('account.update', { name: 'First' });
      platform.clock.advance(minutes(1));
      const middle = platform.clock.now().toISOString();
      const { key } = await svc.call('developers.key.create', { name: 'Shop', permissions: ['email:read'] });
      platform.clock.advance(minutes(1));
      const late = platform.clock.now().toISOString();
      await svc.call('developers.key.revoke', { keyId: key.id });
      await platform.settled();
      type Filter = Parameters<typeof svc.call<'developers.event.list'>>[1];
      const found = async (filter: Filter): Promise<string[]> =>
        (await svc.call('developers.event.list', filter)).events.map(({ type }) => type).reverse();
      const [updated, created, revoked] = ['account.updated', 'developers.key.created', 'developers.key.revoked'];
      expect(await found({})).to.deep.equal([updated, created, revoked]);
      expect(await found({ types: [] })).to.deep.equal([updated, created, revoked]);
      expect(await found({ types: ['developers.key.revoked'] })).to.deep.equal([revoked]);
      expect(await found({ types: ['developers.*'] })).to.deep.equal([created, revoked]);
      expect(await found({ types: ['account.updated', 'developers.key.created'] })).to.deep.equal([updated, created]);
      expect(await found({ types: ['email.*'] })).to.deep.equal([]);
      const refused = await svc.refusal('developers.event.list', { types: ['account.updatd'] });
      expect(refused).to.include({ status: 404, code: 'unknown_event_type' });
      expect(refused.fix).to.contain('account.updated');
      expect(await found({ subjectId: key.id })).to.deep.equal([created, revoked]);
      expect(await found({ subjectId: accountId })).to.deep.equal([updated]);
      expect(await found({ subjectId: 'nobody' })).to.deep.equal([]);
      expect(await found({ since: middle })).to.deep.equal([created, revoked]);
      expect(await found({ until: middle })).to.deep.equal([updated]);
      expect(await found({ since: middle, until: late })).to.deep.equal([created]);
      expect(await found({ since: late, until: middle })).to.deep.equal([]);
      // In UTC, these lie in the years -1 and 10000.
      const always = { since: '0000-01-01T00:00:00+12:00', until: '9999-12-31T23:59:59-12:00' };
      expect(await found(always)).to.deep.equal([updated, created, revoked]);
      expect(await found({ types: ['developers.*'], subjectId: key.id, since: late })).to.deep.equal([revoked]);
    },
  );

  itNeeding('email')('shows nothing of the other environment or of another account', async () => {
    const [{ svc, svcTest }, stranger] = [await platform.account(), await platform.account()];
    const { key } = await svc.call('developers.key.create', { name: 'Shop', permissions: ['email:read'] });
    await platform.settled();
    for (const api of [svcTest, stranger.svc]) {
      const { events } = await api.call('developers.event.list', { subjectId: key.id });
      expect(events).to.deep.equal([]);
    }
    const first = await svc.call('developers.event.list', { limit: 1 });
    const { events } = await stranger.svc.call('developers.event.list', { before: first.events[0]?.id ?? '' });
    expect(events.map(({ accountId }) => accountId)).not.to.include(first.events[0]?.accountId);
  });

  it('refuses invalid filters', async () => {
    const { svc } = await platform.account();
    for (const [field, input] of [
      ['before', { before: 'x' }],
      ['limit', { limit: 101 }],
      ['types', { types: 'email.*' }],
      ['since', { since: 'yesterday' }],
      ['until', { until: 5 }],
      ['subjectId', { subjectId: 'x'.repeat(256) }],
    ] as const) {
      const { code, details } = await svc.refusal('developers.event.list', input);
      expect({ code, details }).to.deep.equal({ code: 'invalid_input', details: { field } });
    }
  });
});
