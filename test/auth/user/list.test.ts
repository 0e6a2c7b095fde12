import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { newId } from '#core/runtime/id.js';
import { searchKey } from '#plugins/auth/search/key.js';
import { identities, type IdentityRow } from '#plugins/auth/tables/identity.js';
import { users, type UserRow } from '#plugins/auth/tables/user.js';
import { userPage, type UserFilter } from '#plugins/auth/users/list.js';
import { nameStatement } from '#plugins/auth/users/names.js';
import { join, organizationOf, person } from '#test/auth/people.js';
import { handlerReads } from '#test/support/handler-reads.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';

/** Many users, inserted directly. */
async function fill(platform: TestPlatform, environmentId: string, count: number): Promise<void> {
  const { database } = platform.running.services;
  const now = platform.clock.now();
  for (let from = 0; from < count; from += 1_000) {
    const rows: UserRow[] = Array.from({ length: Math.min(1_000, count - from) }, (_, index) => {
      const name = `Person Number${from + index}`;
      const email = `person${from + index}@example.com`;
      return {
        ...{
          id: newId(),
          environmentId,
          email,
          emailKey: email,
          emailVerified: true,
          phone: null,
          phoneVerified: false,
        },
        ...{ name, nameKey: searchKey(name), pictureUrl: null, locale: null, externalId: `x${from + index}` },
        ...{ userMetadata: '{}', metadata: '{}', privateMetadata: '{}', bannedAt: null, bannedUntil: null },
        ...{ banReason: null, lastSignInAt: null, createdAt: now, updatedAt: now },
      };
    });
    const addresses: IdentityRow[] = rows.map(({ id, email }) => ({
      ...{ id: newId(), environmentId, userId: id, kind: 'email', identityKey: email ?? '', value: email ?? '' },
      ...{ provider: null, verifiedAt: now, isPrimary: true, byUser: false, createdAt: now },
    }));
    for (const statement of [users.insertRows(rows), identities.insertRows(addresses), nameStatement(rows)])
      if (statement) await database.run(statement);
  }
}

describe('auth.user.list', () => {
  const platform = usePlatform();

  it('finds users by the start of an address, number, external id and any word of the name', async () => {
    const account = await platform.account();
    const { svc } = account;
    const ada = await svc.call('auth.user.create', {
      email: 'countess@example.com',
      phone: '+4915123456789',
      name: 'Áda King Lovelace',
    });
    const { id: userId } = ada.user;
    await svc.call('auth.user.update', { userId, externalId: 'cus_42' });
    await svc.call('auth.user.create', { email: 'bob@example.com', name: 'Bob' });
    for (const query of [
      'count',
      'COUNTESS@',
      '+49151',
      '+49 151 2345',
      'cus_4',
      'ada',
      'ÁDA k',
      'king',
      'love',
      'King Love',
    ])
      expect(
        (await svc.call('auth.user.list', { query })).users.map(({ id }) => id),
        query,
      ).to.deep.equal([userId]);
    for (const query of ['ess@', 'ovelace', 'CUS_4', '151', '%', '_', '\\'])
      expect((await svc.call('auth.user.list', { query })).users, query).to.deep.equal([]);
    await svc.call('auth.user.update', { userId, name: 'Ada Byron' });
    expect((await svc.call('auth.user.list', { query: 'love' })).users, 'a former name').to.deep.equal([]);
    expect((await svc.call('auth.user.list', { query: 'byron' })).users).to.have.length(1);
  });

  it('pages newest first, and combines filters', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await fill(platform, live.id, 30);
    const seen: (string | null)[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page = await svc.call('auth.user.list', { limit: 7, query: 'person', ...(before ? { before } : {}) });
      seen.push(...page.users.map(({ email }) => email));
      before = page.nextBefore;
    }
    expect(seen).to.deep.equal(Array.from({ length: 30 }, (_, index) => `person${29 - index}@example.com`));
    const owner = await person(platform, account, 'person-owner');
    const { id: organizationId } = await organizationOf(owner);
    const bob = await person(platform, account, 'bob');
    await join(platform, organizationId, bob);
    await svc.call('auth.user.ban', { userId: bob.userId });
    const ids = async (filter: { query?: string; banned?: boolean }): Promise<string[]> =>
      (await svc.call('auth.user.list', { organizationId, ...filter })).users.map(({ id }) => id);
    expect(await ids({})).to.deep.equal([bob.userId, owner.userId]);
    expect(await ids({ query: 'person' })).to.deep.equal([owner.userId]);
    expect(await ids({ banned: true })).to.deep.equal([bob.userId]);
    expect(await ids({ banned: false })).to.deep.equal([owner.userId]);
    expect((await svc.refusal('auth.user.list', { organizationId: newId() })).code).to.equal('not_found');
  });

  it('reads few rows, however many users there are', async function () {
    this.timeout(60_000);
    const { live } = await platform.account();
    const { id: environmentId } = live;
    await fill(platform, environmentId, 12_000);
    // One connection, whose counters are read before and after.
    const database = await connectDatabase({ url: platform.databaseUrl, poolSize: 1 });
    try {
      const readsOf = async (filter: Partial<UserFilter>): Promise<number> => {
        const before = await handlerReads(database);
        await userPage(database, { environmentId, now: platform.clock.now(), ...filter }, { limit: 50 });
        return (await handlerReads(database)) - before;
      };
      expect(await readsOf({}), 'the newest').to.be.below(150);
      expect(await readsOf({ query: 'person11999@' }), 'one match').to.be.below(50);
      expect(await readsOf({ query: 'number1199' }), 'by a later word: eleven matches').to.be.below(150);
      expect(await readsOf({ query: 'nobody' }), 'none').to.be.below(50);
      expect(await readsOf({ banned: true }), 'nobody is banned').to.be.below(50);
      // Too many matches to sort: the ranges are read to 2,001 each, and then the newest until the page is full.
      expect(await readsOf({ query: 'person' }), 'all match').to.be.below(12_000);
    } finally {
      await database.close();
    }
  });
});
