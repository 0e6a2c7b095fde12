import { expect } from 'chai';
import { TOTP } from 'otpauth';
import { factors } from '#plugins/auth/tables/factor.js';
import { openSecret } from '#plugins/auth/factors/store.js';
import { users } from '#plugins/auth/tables/user.js';
import { asApp, foreignHash, password, storedHash, userWithPassword } from '#test/auth/password/support.js';
import { addedIdentity } from '#test/auth/support.js';
import type { InputOf } from '#test/support/api.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

type Rows = InputOf<'auth.user.import'>['users'];

describe('auth.user.import', () => {
  const platform = usePlatform();
  const database = () => platform.running.services.database;
  const userWith = (externalId: string) => database().findOne(users, { externalId });

  const ada = {
    externalId: 'user_1',
    email: 'Ada@example.com',
    emailVerified: true,
    phone: '+4915112345678',
    name: 'Ada Lovelace',
    passwordHash: foreignHash,
    totpSecret: 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP',
    createdAt: '2021-03-04T05:06:07.000Z',
    metadata: { plan: 'pro' },
  };

  it('creates users with everything that the other system knew, who sign in with their password and their authenticator app', async () => {
    const account = await platform.account();
    const { created, updated, rejected } = await account.svc.call('auth.user.import', { users: [ada] });
    expect({ created, updated, rejected }).to.deep.equal({ created: 1, updated: 0, rejected: [] });
    const user = await userWith('user_1');
    expect(user).to.include({
      email: 'Ada@example.com',
      emailVerified: true,
      phone: '+4915112345678',
      phoneVerified: false,
    });
    expect(user?.createdAt.toISOString()).to.equal(ada.createdAt);
    expect(JSON.parse(user?.metadata ?? '')).to.deep.equal({ plan: 'pro' });
    const signin = await asApp(platform, account).call('auth.password.signin', { email: 'ada@example.com', password });
    expect(signin.mfa?.factors).to.deep.equal(['totp']);
    expect(await storedHash(platform, user?.id ?? '')).to.match(/^\$argon2id\$v=19\$m=19456/);
    const factor = await database().findOne(factors, { activeUserId: user?.id ?? '' });
    if (!factor) throw new Error('There is no factor.');
    const stored = openSecret(platform.running.services.vault, factor);
    expect(new TOTP({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }).secret.hex).to.equal(
      stored.toString('hex').toUpperCase(),
    );
    const [event] = (await platform.events(account.live)).filter(({ type }) => type === 'auth.user.created');
    expect(event?.data).to.have.nested.property('user.externalId', 'user_1');
  });

  it('reports each row that it cannot take by its index, and takes the others', async () => {
    const account = await platform.account();
    const rows: Rows = [
      { name: 'Nobody' },
      { email: 'not an address' },
      { email: 'one@example.com' },
      { externalId: 'user_2', passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' },
      { externalId: 'user_3', passwordHash: '$2b$31$abcdefghijklmnopqrstuuWG29KuyeAicPCJODk1zjyGvyQUU2awu' },
      { externalId: 'user_4', totpSecret: 'not base32 at all!' },
      { externalId: 'user_5', createdAt: '2999-01-01T00:00:00.000Z' },
      { externalId: 'user_6', unknown: true },
      { externalId: 'user_7', phone: '+49 1' },
      { email: 'ONE@example.com' },
      { externalId: 'user_8', email: null, name: null },
      { externalId: 'user_9', totpSecret: 'JBSWY3DPEHPK3PXP' },
    ];
    const { created, rejected } = await account.svc.call('auth.user.import', { users: rows });
    expect(created).to.equal(2);
    expect(rejected.map(({ index, code }) => `${index} ${code}`)).to.deep.equal([
      '0 invalid_input',
      '1 invalid_input',
      '3 invalid_input',
      '4 invalid_input',
      '5 invalid_input',
      '6 invalid_input',
      '7 invalid_input',
      '8 invalid_input',
      '9 identity_taken',
      '11 invalid_input',
    ]);
    expect(rejected[2]?.message).to.contain('an unsupported format');
    expect(rejected[3]?.message).to.contain('a cost outside the allowed range');
    expect(rejected[9]?.message).to.contain('has 80 bits, but at least 128 are required');
    expect(rejected[8]?.message).to.equal('Row 2 of this call describes the same user.');
  });

  it('matches by external id, then by a proven address; password, TOTP and what is proven stay as they are', async () => {
    const account = await platform.account();
    const userId = await userWithPassword(platform, account.live);
    const before = await storedHash(platform, userId);
    const byAddress = {
      ...ada,
      emailVerified: false,
      phone: null,
      externalId: 'user_20',
      metadata: { team: 'engines' },
    };
    const answer = await account.svc.call('auth.user.import', { users: [byAddress] });
    expect(answer).to.deep.equal({ created: 0, updated: 1, rejected: [] });
    const user = await database().findOne(users, { id: userId });
    expect(user).to.include({
      externalId: 'user_20',
      name: 'Ada Lovelace',
      emailVerified: true,
      email: 'ada@example.com',
    });
    expect(await storedHash(platform, userId)).to.equal(before);
    expect(await platform.count('auth_factor', `user_id = X'${userId.replaceAll('-', '')}'`)).to.equal(0);
    const byExternalId = {
      externalId: 'user_20',
      email: 'ada@new.example.com',
      metadata: { team: null, plan: 'free' },
    };
    await account.svc.call('auth.user.import', { users: [byExternalId] });
    const after = await database().findOne(users, { id: userId });
    expect(JSON.parse(after?.metadata ?? '')).to.deep.equal({ plan: 'free' });
    expect(after?.email).to.equal('ada@example.com');
    const found = await account.svc.call('auth.user.get', { email: 'ada@new.example.com' });
    expect(found.user.id).to.equal(userId);
  });

  it('gives nobody more than twenty addresses: that row is rejected, the others go on', async () => {
    const account = await platform.account();
    await account.svc.call('auth.user.import', { users: [{ externalId: 'full', email: 'full-0@example.com' }] });
    const userId = (await userWith('full'))?.id ?? '';
    for (let n = 1; n < 19; n += 1)
      await addedIdentity(platform, account.live, userId, { email: `full-${n}@example.com` });
    const row = (n: number) => ({ externalId: 'full', email: `full-${n}@example.com`, name: `Ada ${n}` });
    const twentieth = await account.svc.call('auth.user.import', { users: [row(19)] });
    expect(twentieth).to.deep.equal({ created: 0, updated: 1, rejected: [] });
    const answer = await account.svc.call('auth.user.import', { users: [row(20), { externalId: 'other' }] });
    expect(answer).to.include({ created: 1, updated: 0 });
    expect(answer.rejected).to.deep.equal([
      { index: 0, code: 'limit_reached', message: 'The limit of 20 addresses of this user is reached.' },
    ]);
    expect((await userWith('full'))?.name).to.equal('Ada 19');
    // Identities that the user already has are not counted, and numbers are counted separately.
    const kept = { ...row(5), phone: '+4915112345679' };
    expect((await account.svc.call('auth.user.import', { users: [kept] })).rejected).to.deep.equal([]);
  });

  it('does not take an address for a match that its user has not proven, nor one user for another', async () => {
    const account = await platform.account();
    await account.svc.call('auth.user.import', {
      users: [
        { externalId: 'user_30', email: 'unproven@example.com' },
        { externalId: 'user_31', email: 'proven@example.com', emailVerified: true },
      ],
    });
    const { created, updated, rejected } = await account.svc.call('auth.user.import', {
      users: [
        { email: 'unproven@example.com', emailVerified: true, passwordHash: foreignHash },
        { externalId: 'user_32', email: 'proven@example.com', emailVerified: true },
        { externalId: 'user_30', email: 'proven@example.com' },
      ],
    });
    expect({ created, updated }).to.deep.equal({ created: 0, updated: 0 });
    expect(rejected.map(({ code, message }) => `${code}: ${message}`)).to.deep.equal([
      'identity_taken: Another user has this address, but it is unverified, so the user can only be matched by external id.',
      'identity_taken: The user with this address has a different external id (user_31).',
      'identity_taken: Another user has this address.',
    ]);
    expect(await storedHash(platform, (await userWith('user_30'))?.id ?? '')).to.equal(undefined);
  });

  it('changes nothing when it is repeated, and reports no event', async () => {
    const account = await platform.account();
    const rows = [ada, { externalId: 'user_2', name: 'Grace Hopper' }].map((row) => ({
      ...row,
      externalId: `again ${row.externalId}`,
    }));
    await account.svc.call('auth.user.import', { users: rows });
    const events = await platform.events(account.live);
    platform.clock.advance(days(1));
    expect(await account.svc.call('auth.user.import', { users: rows })).to.deep.equal({
      created: 0,
      updated: 2,
      rejected: [],
    });
    expect(await platform.events(account.live)).to.deep.equal(events);
  });

  it('imports each user once when two calls bring the same ones at once to two nodes', async () => {
    const account = await platform.account();
    const node = await platform.secondNode();
    const rows = Array.from({ length: 200 }, (_, n) => ({
      ...(n % 2 === 0 ? { externalId: `race_${n}` } : {}),
      email: `race-${n}@example.com`,
      emailVerified: true,
    }));
    const calls = [account.svc, node.as(account.keys.live.secret), account.svc].map((api, index) =>
      api.call('auth.user.import', { users: index === 1 ? [...rows].reverse() : rows }),
    );
    const answers = await Promise.all(calls);
    expect(answers.map(({ created, updated, rejected }) => created + updated + rejected.length)).to.deep.equal([
      200, 200, 200,
    ]);
    expect(answers.flatMap(({ rejected }) => rejected)).to.deep.equal([]);
    expect(answers.reduce((sum, { created }) => sum + created, 0)).to.equal(200);
    const environmentId = `environment_id = X'${account.live.id.replaceAll('-', '')}'`;
    expect(await platform.count('auth_user', environmentId)).to.equal(200);
    expect(await platform.count('auth_identity', environmentId)).to.equal(200);
    await node.stop();
  });

  it('takes 1,000 users in a call, and no more', async () => {
    const account = await platform.account();
    const row = (n: number) => ({
      ...ada,
      externalId: `bulk_${n}`,
      email: `bulk-${n}@example.com`,
      phone: null,
      name: `User Number ${n}`,
    });
    const thousand = Array.from({ length: 1_000 }, (_, n) => row(n));
    const { created, rejected } = await account.svc.call('auth.user.import', { users: thousand });
    expect({ created, rejected }).to.deep.equal({ created: 1_000, rejected: [] });
    expect(await account.svc.refusal('auth.user.import', { users: [...thousand, row(1_000)] })).to.include({
      code: 'batch_too_large',
      status: 413,
    });
  });

  it('leaves the other environment alone', async () => {
    const account = await platform.account();
    const rows = [{ externalId: 'both', email: 'both@example.com', emailVerified: true }];
    for (const svc of [account.svc, account.svcTest])
      expect(await svc.call('auth.user.import', { users: rows })).to.include({ created: 1, updated: 0 });
  });
});
