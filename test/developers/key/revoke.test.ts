import { expect } from 'chai';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { newId } from '#core/runtime/id.js';
import type { RawAnswer } from '#test/support/api.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { usePlatform, type TestAccount, type TestNode } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { auditOf, firstKey, makeKey, makeTwin, setRole } from './support.js';

describe('developers.key.revoke', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  /** Locks the environment until all of these calls wait for the lock. */
  async function atOnce(account: TestAccount, calls: () => Promise<RawAnswer>[]): Promise<RawAnswer[]> {
    const made: Promise<RawAnswer>[] = [];
    await platform.running.services.database.transaction(async (db) => {
      await lockEnvironment(db, account.live.id);
      made.push(...calls());
      await untilWaiting(platform, made.length, 'all of them to wait');
    });
    return Promise.all(made);
  }

  it('stops a key on the next request, on every node', async () => {
    const account = await platform.account();
    const { id, plaintext } = await makeKey(platform, account, ['account:read']);
    const apis = [account.svc, second.node?.as(plaintext) ?? account.svc];
    for (const api of apis) expect((await api.raw('/account/get', '{}', { key: plaintext })).status).to.equal(200);
    const { key } = await account.svc.call('developers.key.revoke', { keyId: id });
    expect(key).to.include({ id, revokedAt: platform.clock.now().toISOString() });
    for (const api of apis) {
      const refused = await api.refusal('account.get', {}, { key: plaintext });
      expect(refused).to.include({ status: 401, code: 'unauthenticated' });
    }
  });

  itNeeding('email')('writes an audit record and an event, and for a repeat an audit record alone', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    const before = (await platform.events(account.live)).length;
    const first = await account.svc.envelope('developers.key.revoke', { keyId: id });
    platform.clock.advance(60_000);
    const again = await account.svc.envelope('developers.key.revoke', { keyId: id });
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).to.not.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.include({ operation: 'developers.key.revoke', subjectId: id });
    expect((await platform.events(account.live)).slice(before)).to.deep.equal([
      { type: 'developers.key.revoked', subjectId: id, activityId: first.activityId, data: { key: first.result.key } },
    ]);
  });

  itNeeding('email')('refuses the last key that holds developers:write, and says what to do', async () => {
    const account = await platform.account();
    const keyId = await firstKey(account);
    await makeKey(platform, account, ['developers:read', 'email:write']);
    const refused = await account.svc.refusal('developers.key.revoke', { keyId });
    expect(refused).to.include({ status: 409, code: 'last_key' });
    expect(refused.message).to.contain('First key');
    expect((await account.svc.raw('/account/get', '{}')).status).to.equal(200);
    const successor = await makeTwin(platform, account);
    await account.svc.call('developers.key.revoke', { keyId });
    expect(
      (await account.svc.refusal('developers.key.revoke', { keyId: successor.id }, { key: successor.plaintext })).code,
    ).to.equal('last_key');
  });

  it('does not count keys whose role does not hold developers:write', async () => {
    const account = await platform.account();
    const keyId = await firstKey(account);
    const viewer = await makeTwin(platform, account);
    await setRole(platform, viewer.id, 'viewer');
    expect((await account.svc.refusal('developers.key.revoke', { keyId })).message).to.contain('developers:write');
    await setRole(platform, viewer.id, 'owner');
    await account.svc.call('developers.key.revoke', { keyId });
  });

  itNeeding('email')(
    'refuses the last key that holds every permission, or the strongest role, though another one administers',
    async () => {
      const account = await platform.account();
      const keyId = await firstKey(account);
      const weaker = await makeKey(platform, account, ['developers:write', 'email:write']);
      const refused = await account.svc.refusal('developers.key.revoke', { keyId });
      expect(refused).to.include({ status: 409, code: 'last_key' });
      expect(refused.message).to.contain('every permission');
      const twin = await makeTwin(platform, account);
      await setRole(platform, twin.id, 'admin');
      expect((await account.svc.refusal('developers.key.revoke', { keyId })).code).to.equal('last_key');
      await setRole(platform, twin.id, 'owner');
      await account.svc.call('developers.key.revoke', { keyId });
      await account.svc.call('developers.key.revoke', { keyId: weaker.id }, { key: twin.plaintext });
    },
  );

  itNeeding('email')('refuses a key that holds more than the caller, by permission or by role', async () => {
    const account = await platform.account();
    const weak = await makeKey(platform, account, ['developers:read', 'developers:write']);
    const [owner, mailer] = [await firstKey(account), await makeKey(platform, account, ['email:write'])];
    for (const keyId of [owner, mailer.id]) {
      const refused = await account.svc.refusal('developers.key.revoke', { keyId }, { key: weak.plaintext });
      expect(refused).to.include({ status: 403, code: 'permission_exceeds_caller' });
    }
    const equal = await makeKey(platform, account, ['developers:write']);
    await setRole(platform, weak.id, 'developer');
    const byRole = await account.svc.refusal('developers.key.revoke', { keyId: equal.id }, { key: weak.plaintext });
    expect(byRole.message).to.contain('the role owner');
    await setRole(platform, equal.id, 'developer');
    await account.svc.call('developers.key.revoke', { keyId: equal.id }, { key: weak.plaintext });
    expect((await account.svc.raw('/account/get', '{}')).status).to.equal(200);
  });

  it('revokes the key that makes the call, whatever its role has become since', async () => {
    const account = await platform.account();
    const own = await makeKey(platform, account, ['account:write', 'developers:write'], 'developer');
    await account.svc.call('developers.key.revoke', { keyId: own.id }, { key: own.plaintext });
    const refused = await account.svc.refusal('developers.key.current', {}, { key: own.plaintext });
    expect(refused.code).to.equal('unauthenticated');
  });

  it('does not count the other environment’s keys', async () => {
    const account = await platform.account();
    expect(
      (await account.svcTest.refusal('developers.key.revoke', { keyId: await firstKey({ svc: account.svcTest }) }))
        .code,
    ).to.equal('last_key');
  });

  it('keeps one of the last two keys when they concurrently revoke each other, or themselves', async () => {
    for (const swapped of [false, true]) {
      const account = await platform.account();
      const first = await firstKey(account);
      const other = await makeTwin(platform, account);
      const api = second.node?.as(other.plaintext) ?? account.svc;
      const [mine, theirs] = swapped ? [first, other.id] : [other.id, first];
      // Both calls are authenticated while there are two keys, before the first of them gets the lock.
      const answers = await atOnce(account, () => [
        account.svc.raw('/developers/key/revoke', JSON.stringify({ keyId: mine })),
        api.raw('/developers/key/revoke', JSON.stringify({ keyId: theirs })),
      ]);
      // A key that was revoked while its call waited is refused as any revoked key is.
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, swapped ? 409 : 401]);
      const { keys } = await account.svc
        .call('developers.key.list', {})
        .catch(() => account.svc.call('developers.key.list', {}, { key: other.plaintext }));
      expect(keys.filter(({ kind }) => kind === 'secret')).to.have.length(1);
    }
  });

  it('revokes publishable keys, including the last one', async () => {
    const { svc } = await platform.account();
    const { keys } = await svc.call('developers.key.list', {});
    const publishable = keys.find(({ kind }) => kind === 'publishable');
    expect((await svc.call('developers.key.revoke', { keyId: publishable?.id ?? '' })).key.revokedAt).to.be.a('string');
  });

  itNeeding('email')('answers not_found for a key of another environment or account', async () => {
    const [account, stranger] = [await platform.account(), await platform.account()];
    const { id } = await makeKey(platform, account, ['email:read']);
    for (const [api, keyId] of [
      [account.svcTest, id],
      [stranger.svc, id],
      [account.svc, newId()],
    ] as const) {
      expect(await api.refusal('developers.key.revoke', { keyId })).to.include({ status: 404, code: 'not_found' });
    }
    expect((await account.svc.call('developers.key.list', {})).keys.map((key) => key.id)).to.include(id);
  });

  it('needs developers:write', async () => {
    const account = await platform.account();
    const reader = await makeKey(platform, account, ['developers:read']);
    const refused = await account.svc.refusal('developers.key.revoke', { keyId: reader.id }, { key: reader.plaintext });
    expect(refused).to.include({ status: 403, code: 'permission_required' });
  });
});
