import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { auditOf, firstKey, makeKey, makeTwin } from './support.js';

describe('developers.key.update', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  itNeeding('email')('changes name and permissions while requests with the key go on', async () => {
    const account = await platform.account();
    const { id, plaintext } = await makeKey(platform, account, ['email:read', 'account:read']);
    const calls = Array.from({ length: 20 }, () => account.svc.raw('/account/get', '{}', { key: plaintext }));
    const { key } = await account.svc.call('developers.key.update', {
      keyId: id,
      name: 'New',
      permissions: ['account:read'],
    });
    expect((await Promise.all(calls)).map(({ status }) => status)).to.deep.equal(calls.map(() => 200));
    expect(key).to.include({ id, name: 'New', revokedAt: null });
    expect(key.permissions).to.deep.equal(['account:read']);
    expect(plaintext.startsWith(key.prefix)).to.equal(true);
    const current = await account.svc.call('developers.key.current', {}, { key: plaintext });
    expect(current.key).to.include({ id, name: 'New' });
  });

  itNeeding('email')('takes effect on the next request, on every node', async () => {
    const account = await platform.account();
    const { id, plaintext } = await makeKey(platform, account, ['account:read']);
    const apis = [account.svc, second.node?.as(plaintext) ?? account.svc];
    for (const api of apis) expect((await api.raw('/account/get', '{}', { key: plaintext })).status).to.equal(200);
    await account.svc.call('developers.key.update', { keyId: id, permissions: ['email:read'] });
    for (const api of apis)
      expect((await api.refusal('account.get', {}, { key: plaintext })).code).to.equal('permission_required');
  });

  itNeeding('email')('writes an audit record with the changed fields, and one event', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    const before = (await platform.events(account.live)).length;
    const { activityId, result } = await account.svc.envelope('developers.key.update', { keyId: id, name: 'New' });
    const { operation, subjectId, changes } = await auditOf(platform, activityId);
    expect([operation, subjectId, JSON.parse(changes)]).to.deep.equal([
      'developers.key.update',
      id,
      [{ field: 'name', from: 'Key email:read', to: 'New' }],
    ]);
    expect((await platform.events(account.live)).slice(before)).to.deep.equal([
      { type: 'developers.key.updated', subjectId: id, activityId, data: { key: result.key } },
    ]);
  });

  itNeeding('email')('answers 200 when nothing changes, with an audit record and without an event', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    const events = (await platform.events(account.live)).length;
    const same = { keyId: id, name: 'Key email:read', permissions: ['email:read'] };
    const first = await account.svc.envelope('developers.key.update', same);
    const again = await account.svc.envelope('developers.key.update', same);
    expect(first.activityId).to.not.equal(again.activityId);
    expect((await auditOf(platform, again.activityId)).changes).to.equal('[]');
    expect((await platform.events(account.live)).length).to.equal(events);
  });

  itNeeding('email')('requires a change', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    const refused = await account.svc.refusal('developers.key.update', { keyId: id });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.message).to.contain('names nothing to change');
  });

  itNeeding('email')('grants nothing that the caller does not hold', async () => {
    const account = await platform.account();
    const weak = await makeKey(platform, account, ['developers:write', 'email:read']);
    const refused = await account.svc.refusal(
      'developers.key.update',
      { keyId: weak.id, permissions: ['developers:write', 'email:read', 'email:write'] },
      { key: weak.plaintext },
    );
    expect(refused).to.include({ status: 403, code: 'permission_exceeds_caller' });
    expect(refused.message).to.contain('email:write');
  });

  it('changes no key that holds more than the caller, neither its name nor its permissions', async () => {
    const account = await platform.account();
    const weak = await makeKey(platform, account, ['developers:write']);
    const strong = await firstKey(account);
    for (const change of [{ name: 'Mine now' }, { permissions: ['developers:write'] }]) {
      const refused = await account.svc.refusal(
        'developers.key.update',
        { keyId: strong, ...change },
        { key: weak.plaintext },
      );
      expect(refused.code).to.equal('permission_exceeds_caller');
    }
    const { key } = await account.svc.call('developers.key.current', {});
    expect(key?.name).to.equal('First key');
  });

  itNeeding('email')('changes no key of a stronger role, even with the same permissions', async () => {
    const account = await platform.account();
    const admin = await makeKey(platform, account, ['developers:write', 'email:read'], 'admin');
    const owners = await makeKey(platform, account, ['email:read'], 'owner');
    const refused = await account.svc.refusal(
      'developers.key.update',
      { keyId: owners.id, name: 'Mine' },
      { key: admin.plaintext },
    );
    expect(refused.code).to.equal('permission_exceeds_caller');
    expect(refused.message).to.contain('the role owner');
  });

  it('grants nothing that the key’s role does not hold: another key can have it, and refusals say so', async () => {
    const account = await platform.account();
    const { id: keyId, plaintext: key } = await makeKey(platform, account, ['account:read'], 'developer');
    const permissions = ['account:read', 'account:write'];
    const refused = await account.svc.refusal('developers.key.update', { keyId, permissions });
    expect([refused.code, refused.details]).to.deep.equal(['invalid_input', { field: 'permissions' }]);
    expect(refused.message).to.contain('account:write, which the role of this key (developer) does not hold');
    const withheld = await account.svc.refusal('account.update', { name: 'More' }, { key });
    expect(withheld).to.include({
      code: 'permission_required',
      message: 'The role of this key (developer) does not hold account:write, which account.update needs.',
    });
    for (const { fix } of [refused, withheld])
      expect(fix).to.contain('developers.key.create').and.not.contain('developers.key.update');
    const made = await account.svc.call('developers.key.create', { name: 'Shop', permissions });
    await account.svc.call('account.update', { name: 'More' }, { key: made.plaintext });
  });

  it('refuses permissions for publishable keys, and accepts origins', async () => {
    const { svc } = await platform.account();
    const { key } = await svc.call('developers.key.create', { name: 'Web', kind: 'publishable' });
    const keyId = key.id;
    const refused = await svc.refusal('developers.key.update', { keyId, permissions: ['auth:public'] });
    expect([refused.code, refused.details]).to.deep.equal(['invalid_input', { field: 'permissions' }]);
    const origins = ['https://a.example'];
    const bound = await svc.call('developers.key.update', { keyId, allowedOrigins: origins });
    expect(bound.key.allowedOrigins).to.deep.equal(origins);
    expect((await svc.call('developers.key.update', { keyId, name: 'B' })).key.allowedOrigins).to.deep.equal(origins);
    expect((await svc.call('developers.key.update', { keyId, allowedOrigins: null })).key.allowedOrigins).to.equal(
      null,
    );
  });

  itNeeding('email')('refuses auth:public and origins for secret keys', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    for (const [field, change] of [
      ['permissions', { permissions: ['auth:public'] }],
      ['permissions', { permissions: [] }],
      ['allowedOrigins', { allowedOrigins: ['https://a.example'] }],
      ['name', { name: '' }],
    ] as const) {
      const refused = await account.svc.refusal('developers.key.update', { keyId: id, ...change });
      expect([refused.code, refused.details]).to.deep.equal(['invalid_input', { field }]);
    }
  });

  itNeeding('email')('removes developers:write from any key except the last that holds it', async () => {
    const account = await platform.account();
    const first = await firstKey(account);
    const refused = await account.svc.refusal('developers.key.update', { keyId: first, permissions: ['email:read'] });
    expect(refused).to.include({ status: 409, code: 'last_key' });
    const other = await makeKey(platform, account, ['developers:write']);
    await account.svc.call('developers.key.update', { keyId: other.id, permissions: ['email:read'] });
    expect(
      (await account.svc.refusal('developers.key.update', { keyId: first, permissions: ['email:read'] })).code,
    ).to.equal('last_key');
  });

  itNeeding('email')('removes a permission from any key except the last that holds every permission', async () => {
    const account = await platform.account();
    const [first, administrator] = [await firstKey(account), await makeKey(platform, account, ['developers:write'])];
    const change = { keyId: first, permissions: ['developers:write', 'email:read'] };
    const refused = await account.svc.refusal('developers.key.update', change);
    expect([refused.code, refused.details]).to.deep.equal([
      'last_key',
      { keyId: first, environmentId: account.live.id },
    ]);
    await account.svc.call('developers.key.update', { keyId: administrator.id, permissions: ['email:read'] });
    await makeTwin(platform, account);
    await account.svc.call('developers.key.update', change);
  });

  itNeeding('email')('keeps one key with developers:write when the last two lose it concurrently', async () => {
    for (let round = 0; round < 3; round += 1) {
      const account = await platform.account();
      const first = await firstKey(account);
      const other = await makeTwin(platform, account);
      const api = second.node?.as(other.plaintext) ?? account.svc;
      const statuses = await Promise.all([
        account.svc.raw('/developers/key/update', JSON.stringify({ keyId: first, permissions: ['email:read'] })),
        api.raw('/developers/key/update', JSON.stringify({ keyId: other.id, permissions: ['email:read'] })),
      ]);
      expect(statuses.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    }
  });

  itNeeding('email')('refuses a revoked key', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    await account.svc.call('developers.key.revoke', { keyId: id });
    const refused = await account.svc.refusal('developers.key.update', { keyId: id, name: 'New' });
    expect(refused).to.include({ status: 409, code: 'key_revoked' });
  });

  it('answers not_found for a key of another environment or account', async () => {
    const [account, stranger] = [await platform.account(), await platform.account()];
    const keyId = await firstKey(account);
    const answers = [
      await account.svcTest.refusal('developers.key.update', { keyId, name: 'Mine' }),
      await stranger.svc.refusal('developers.key.update', { keyId, name: 'Mine' }),
      await stranger.svc.refusal('developers.key.update', { keyId: newId(), name: 'Mine' }),
    ];
    for (const { status, code, message } of answers) {
      expect([status, code, message]).to.deep.equal([404, 'not_found', 'There is no such key in this environment.']);
    }
  });
});
