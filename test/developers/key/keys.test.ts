import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';

describe('developers.key.*', () => {
  const platform = usePlatform();

  it('makes keys in the specification’s forms, shown once and stored as a digest alone', async () => {
    const { svc, svcTest, live } = await platform.account();
    const secret = await svc.envelope('developers.key.create', { name: 'Backend', permissions: ['email:write'] });
    expect(secret.result.plaintext).to.match(/^svc_live_(?!pk)[A-Za-z0-9]{43}$/);
    const test = await svcTest.call('developers.key.create', { name: 'Backend', permissions: ['email:write'] });
    expect(test.plaintext).to.match(/^svc_test_(?!pk)[A-Za-z0-9]{43}$/);
    const browser = await svc.call('developers.key.create', { name: 'App', kind: 'publishable' });
    expect(browser.plaintext).to.match(/^svc_live_pk[A-Za-z0-9]{40}$/);
    expect(browser.key.permissions).to.deep.equal(['auth:public']);
    const { keys } = await svc.call('developers.key.list', {});
    expect(keys).to.have.length(4);
    expect(JSON.stringify(keys)).to.not.contain(secret.result.plaintext.slice(14));
    const events = await platform.events(live);
    expect(events.filter(({ type }) => type === 'developers.key.created')).to.have.length(2);
    expect(events.find(({ subjectId }) => subjectId === secret.result.key.id)?.activityId).to.equal(secret.activityId);
  });

  it('refuses to hand out more than the caller holds: by create, by update, by rotating or renaming a stronger key', async () => {
    const { svc } = await platform.account();
    const strong = await svc.call('developers.key.create', {
      name: 'Strong',
      permissions: ['account:write', 'developers:write'],
    });
    const { plaintext } = await svc.call('developers.key.create', {
      name: 'Weak',
      permissions: ['developers:read', 'developers:write'],
    });
    const weak = { key: plaintext };
    const refused = async (operation: string, input: object): Promise<void> => {
      const { status, code } = await svc.refusal(operation, input, weak);
      expect({ operation, status, code }).to.deep.equal({ operation, status: 403, code: 'permission_exceeds_caller' });
    };
    await refused('developers.key.create', { name: 'More', permissions: ['account:write'] });
    const mine = await svc.call('developers.key.create', { name: 'Mine', permissions: ['developers:read'] }, weak);
    await refused('developers.key.update', { keyId: mine.key.id, permissions: ['account:write'] });
    await refused('developers.key.update', { keyId: strong.key.id, name: 'Harmless' });
    await refused('developers.key.rotate', { keyId: strong.key.id });
  });

  it('refuses what does not belong to the kind of key', async () => {
    const { svc } = await platform.account();
    for (const input of [
      { name: 'No permissions' },
      { name: 'Public', permissions: ['auth:public'] },
      { name: 'App', kind: 'publishable', permissions: ['email:write'] },
      { name: 'Backend', permissions: ['email:write'], allowedOrigins: ['https://a.example.com'] },
    ]) {
      expect(await svc.refusal('developers.key.create', input)).to.include({ status: 400, code: 'invalid_input' });
    }
  });

  it('rotates: the new key works, the old one stops at once and cannot be changed any more', async () => {
    const { svc, live } = await platform.account();
    const old = await svc.call('developers.key.create', { name: 'Backend', permissions: ['account:read'] });
    const next = await svc.call('developers.key.rotate', { keyId: old.key.id });
    expect(next.revokedKeyId).to.equal(old.key.id);
    expect(next.key).to.deep.include({ name: 'Backend', permissions: ['account:read'] });
    expect((await svc.raw('/account/get', '{}', { key: next.plaintext })).status).to.equal(200);
    expect(await svc.refusal('account.get', {}, { key: old.plaintext })).to.include({
      status: 401,
      code: 'unauthenticated',
    });
    expect((await platform.events(live)).map(({ type }) => type)).to.include('developers.key.rotated');
    expect(await svc.refusal('developers.key.rotate', { keyId: old.key.id })).to.include({
      status: 409,
      code: 'key_revoked',
    });
    expect(await svc.refusal('developers.key.update', { keyId: old.key.id, name: 'x' })).to.include({
      code: 'key_revoked',
    });
  });

  it('revokes at once, and answers a repeat as done without an event', async () => {
    const { svc, live } = await platform.account();
    const { key, plaintext } = await svc.call('developers.key.create', {
      name: 'Backend',
      permissions: ['account:read'],
    });
    await svc.call('developers.key.revoke', { keyId: key.id });
    expect(await svc.refusal('account.get', {}, { key: plaintext })).to.include({ status: 401 });
    const again = await svc.call('developers.key.revoke', { keyId: key.id });
    expect(again.key.revokedAt).to.be.a('string');
    expect((await platform.events(live)).filter(({ type }) => type === 'developers.key.revoked')).to.have.length(1);
  });

  it('keeps the last key that holds developers:write, also when two racers take the last two', async () => {
    const { svc } = await platform.account();
    const { keys } = await svc.call('developers.key.list', {});
    const first = keys.find(({ kind }) => kind === 'secret');
    expect(await svc.refusal('developers.key.revoke', { keyId: first?.id })).to.include({
      status: 409,
      code: 'last_key',
    });
    expect(await svc.refusal('developers.key.update', { keyId: first?.id, permissions: ['account:read'] })).to.include({
      code: 'last_key',
    });
    const second = await svc.call('developers.key.create', {
      name: 'Second',
      permissions: ['developers:read', 'developers:write'],
    });
    const statuses = await Promise.all(
      [first?.id, second.key.id].map(
        async (keyId) => (await svc.raw('/developers/key/revoke', JSON.stringify({ keyId }))).status,
      ),
    );
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
  });

  it('holds no more than 100 live keys in an environment, under racers', async () => {
    const { svc, live } = await platform.account();
    const id = live.id.replaceAll('-', '');
    for (let made = 2; made < 97; made += 1)
      await svc.call('developers.key.create', { name: `Key ${made}`, permissions: ['account:read'] });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        svc.raw('/developers/key/create', JSON.stringify({ name: `Racer ${index}`, permissions: ['account:read'] })),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).to.have.length(3);
    expect(answers.find(({ status }) => status !== 200)?.text).to.contain('limit_reached');
    expect(await platform.count('developers_key', `environment_id = UNHEX('${id}') AND revoked_at IS NULL`)).to.equal(
      100,
    );
  });

  it('shows who is calling, and that a key of another environment is not there', async () => {
    const { svc, svcTest, accountId, live } = await platform.account();
    const current = await svc.call('developers.key.current', {});
    expect(current.account.id).to.equal(accountId);
    expect(current.environment).to.include({ id: live.id, kind: 'live' });
    const { key } = await svc.call('developers.key.create', { name: 'Live', permissions: ['account:read'] });
    expect(await svcTest.refusal('developers.key.update', { keyId: key.id, name: 'x' })).to.include({
      status: 404,
      code: 'not_found',
    });
  });
});
