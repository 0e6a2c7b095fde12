import { expect } from 'chai';
import { concurrently, eventsOf, auditOf } from '#test/audience/support.js';
import { verifyPassword } from '#plugins/auth/passwords/hash.js';
import { passwords } from '#plugins/auth/tables/password.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.user.create', () => {
  const platform = usePlatform();

  it('creates a user with an address and a number, found by each of them', async () => {
    const { svc } = await platform.account();
    const { user } = await svc.call('auth.user.create', {
      email: 'Ada@Example.com',
      emailVerified: true,
      phone: '+49 1512 3456789',
      name: 'Ada Lovelace',
      metadata: { plan: 'pro', none: null },
      privateMetadata: { score: 3 },
    });
    expect(user).to.include({
      email: 'Ada@example.com',
      emailVerified: true,
      phone: '+4915123456789',
      phoneVerified: false,
      name: 'Ada Lovelace',
    });
    expect(user.metadata, 'null stores nothing').to.deep.equal({ plan: 'pro' });
    expect(user.privateMetadata).to.deep.equal({ score: 3 });
    for (const input of [{ email: 'ada@example.com' }, { phone: '+4915123456789' }, { userId: user.id }]) {
      const found = await svc.call('auth.user.get', input);
      expect(found.user).to.deep.equal(user);
      expect(
        found.identities.map(({ kind, primary, verifiedAt }) => ({ kind, primary, verified: verifiedAt !== null })),
      ).to.deep.equal([
        { kind: 'email', primary: true, verified: true },
        { kind: 'phone', primary: true, verified: false },
      ]);
    }
  });

  it('emits one event, without what only secret keys may see, and an audit record that an erasure finds', async () => {
    const { svc, live } = await platform.account();
    const { result, activityId } = await svc.envelope('auth.user.create', {
      email: 'ada@example.com',
      privateMetadata: { hidden: 'canary' },
    });
    const [event, ...others] = await eventsOf(platform, live, 'auth.user.');
    expect(others).to.deep.equal([]);
    expect(event).to.include({ type: 'auth.user.created', subjectId: result.user.id, personId: result.user.id });
    expect(JSON.stringify(event)).not.to.contain('canary');
    const { privateMetadata: _private, banReason: _reason, ...shown } = result.user;
    expect(event?.data).to.deep.equal({ user: shown });
    expect(await auditOf(platform, activityId)).to.include({ personId: result.user.id });
  });

  it('stores a password as an argon2id hash that fits it', async () => {
    const account = await platform.account();
    const { user } = await account.svc.call('auth.user.create', {
      email: 'ada@example.com',
      password: 'correct horse battery',
    });
    const row = await platform.running.services.database.findOne(passwords, { userId: user.id });
    expect(row?.hash).to.match(/^\$argon2id\$/);
    expect(row?.byUser).to.equal(false);
    const asker = { environment: account.live, request: { requestId: '', ip: '', userAgent: null, origin: null } };
    expect(await verifyPassword(asker, row?.hash ?? null, 'correct horse battery')).to.deep.include({ ok: true });
  });

  it('refuses short, long and well-known passwords, and creates nobody', async () => {
    const { svc } = await platform.account();
    const refused = async (password: string): Promise<string> =>
      (await svc.refusal('auth.user.create', { email: 'ada@example.com', password })).code;
    expect(await refused('short')).to.equal('password_too_short');
    expect(await refused('')).to.equal('password_too_short');
    for (const length of [257, 5_000]) expect(await refused('x'.repeat(length))).to.equal('password_too_long');
    expect(await refused('password123')).to.equal('password_breached');
    expect((await svc.call('auth.user.list', {})).users).to.deep.equal([]);
  });

  it('gives an address and a number to one of twenty concurrent calls', async () => {
    const { svc, live } = await platform.account();
    const outcomes = await concurrently(async (index) => {
      const input = { email: `u${index}@example.com`, phone: '+4915123456789' };
      const { status, text } = await svc.raw('/auth/user/create', JSON.stringify(input));
      if (status !== 200) expect(text).to.contain('identity_taken');
      return status;
    });
    expect(outcomes.filter((status) => status === 200)).to.have.length(1);
    const { users } = await svc.call('auth.user.list', {});
    expect(users).to.have.length(1);
    expect(await eventsOf(platform, live, 'auth.user.created')).to.have.length(1);
    expect(await platform.count('auth_identity', `environment_id = 0x${live.id.replaceAll('-', '')}`)).to.equal(2);
  });

  it('takes the same address in another environment', async () => {
    const { svc, svcTest } = await platform.account();
    await svc.call('auth.user.create', { email: 'ada@example.com' });
    const taken = await svc.refusal('auth.user.create', { email: 'ADA@example.com' });
    expect(taken).to.include({ status: 409, code: 'identity_taken' });
    await svcTest.call('auth.user.create', { email: 'ada@example.com' });
  });

  it('asks for an address or a number, and bounds metadata', async () => {
    const { svc } = await platform.account();
    const refused = async (input: object): Promise<string> => {
      const { code, details } = await svc.refusal('auth.user.create', input);
      expect(code).to.equal('invalid_input');
      return String(details['field']);
    };
    expect(await refused({ name: 'Ada' })).to.equal('email');
    const email = 'ada@example.com';
    expect(await refused({ email, metadata: { big: 'x'.repeat(16_384) } })).to.equal('metadata');
    expect(await refused({ email, privateMetadata: { big: 'x'.repeat(16_384) } })).to.equal('privateMetadata');
    const keys = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, 1]));
    expect(await refused({ email, metadata: keys })).to.equal('metadata');
    let deep: unknown = 1;
    for (let level = 0; level < 21; level += 1) deep = [deep];
    expect(await refused({ email, metadata: { deep } })).to.equal('metadata');
    expect(await refused({ email, name: '\ud800' })).to.equal('name');
  });
});
