import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { usePlatform, type TestNode } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { auditOf, firstKey, makeKey, publishableForm, secretForm, setRole } from './support.js';

describe('developers.key.rotate', () => {
  const platform = usePlatform();
  const second: { node?: TestNode } = {};
  before(async () => (second.node = await platform.secondNode()));

  itNeeding('email')(
    'replaces a key with one that differs only in its value, and stops the old one at once on every node',
    async () => {
      const account = await platform.account();
      const { id, plaintext } = await makeKey(platform, account, ['account:read', 'email:write']);
      const old = (await account.svc.call('developers.key.current', {}, { key: plaintext })).key;
      const rotated = await account.svc.call('developers.key.rotate', { keyId: id });
      expect(rotated.plaintext).to.match(secretForm);
      expect(rotated.plaintext).to.not.equal(plaintext);
      expect(rotated.revokedKeyId).to.equal(id);
      expect(rotated.key).to.include({ name: old?.name, kind: 'secret', revokedAt: null, createdBy: 'First key' });
      expect(rotated.key.permissions).to.deep.equal(old?.permissions);
      expect(rotated.key.id).to.not.equal(id);
      for (const api of [account.svc, second.node?.as(plaintext)]) {
        const stopped = await api?.refusal('account.get', {}, { key: plaintext });
        expect(stopped).to.include({ status: 401, code: 'unauthenticated' });
        expect(stopped?.message).to.contain('revoked');
        expect((await api?.raw('/account/get', '{}', { key: rotated.plaintext }))?.status).to.equal(200);
      }
    },
  );

  it('keeps a publishable key’s origins', async () => {
    const { svc } = await platform.account();
    const allowedOrigins = ['https://a.example'];
    const { key } = await svc.call('developers.key.create', { name: 'Web', kind: 'publishable', allowedOrigins });
    const rotated = await svc.call('developers.key.rotate', { keyId: key.id });
    expect(rotated.plaintext).to.match(publishableForm);
    expect(rotated.key).to.deep.include({ kind: 'publishable', allowedOrigins, permissions: ['auth:public'] });
  });

  it('may replace the calling key, even if it is the only one', async () => {
    const account = await platform.account();
    const { plaintext, key } = await account.svc.call('developers.key.rotate', { keyId: await firstKey(account) });
    expect((await account.svc.refusal('account.get', {})).code).to.equal('unauthenticated');
    const { permissions } = await account.svc.call('developers.key.current', {}, { key: plaintext });
    expect(permissions).to.deep.equal([...key.permissions].sort());
  });

  itNeeding('email')('writes one audit record and one event, without the plaintext', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    const before = (await platform.events(account.live)).length;
    const { activityId, result } = await account.svc.envelope('developers.key.rotate', { keyId: id });
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'developers.key.rotate',
      subjectId: result.key.id,
      changes: JSON.stringify([{ field: 'id', from: id, to: result.key.id }]),
    });
    expect((await platform.events(account.live)).slice(before)).to.deep.equal([
      {
        type: 'developers.key.rotated',
        subjectId: result.key.id,
        activityId,
        data: { key: result.key, revokedKeyId: id },
      },
    ]);
  });

  it('refuses a key that holds more than the caller, by permission or by role', async () => {
    const account = await platform.account();
    const weak = await makeKey(platform, account, ['developers:write']);
    const strong = await firstKey(account);
    const refused = await account.svc.refusal('developers.key.rotate', { keyId: strong }, { key: weak.plaintext });
    expect(refused).to.include({ status: 403, code: 'permission_exceeds_caller' });
    const twin = await makeKey(platform, account, ['developers:write']);
    await setRole(platform, weak.id, 'developer');
    const byRole = await account.svc.refusal('developers.key.rotate', { keyId: twin.id }, { key: weak.plaintext });
    expect(byRole.message).to.contain('the role owner');
    await setRole(platform, twin.id, 'developer');
    await account.svc.call('developers.key.rotate', { keyId: twin.id }, { key: weak.plaintext });
    expect((await account.svc.raw('/account/get', '{}')).status).to.equal(200);
  });

  itNeeding('email')('gives the new key the old one’s role', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['account:write', 'email:read'], 'viewer');
    const { plaintext } = await account.svc.call('developers.key.rotate', { keyId: id });
    const { permissions } = await account.svc.call('developers.key.current', {}, { key: plaintext });
    expect(permissions).to.deep.equal(['email:read']);
  });

  itNeeding('email')('replaces a key once in five concurrent calls', async () => {
    const account = await platform.account();
    const { id } = await makeKey(platform, account, ['email:read']);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        (index % 2 === 0 ? account.svc : (second.node?.as(account.keys.live.secret) ?? account.svc)).raw(
          '/developers/key/rotate',
          JSON.stringify({ keyId: id }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409, 409]);
    expect(answers.filter(({ text }) => text.includes('key_revoked'))).to.have.length(4);
    const { keys } = await account.svc.call('developers.key.list', {});
    expect(keys.filter(({ name }) => name === 'Key email:read')).to.have.length(1);
  });

  itNeeding('email')('refuses a revoked key, and one of another environment or account', async () => {
    const [account, stranger] = [await platform.account(), await platform.account()];
    const { id } = await makeKey(platform, account, ['email:read']);
    await account.svc.call('developers.key.revoke', { keyId: id });
    expect(await account.svc.refusal('developers.key.rotate', { keyId: id })).to.include({
      status: 409,
      code: 'key_revoked',
    });
    const keyId = await firstKey(account);
    for (const [api, given] of [
      [account.svcTest, keyId],
      [stranger.svc, keyId],
      [account.svc, newId()],
    ] as const) {
      expect(await api.refusal('developers.key.rotate', { keyId: given })).to.include({
        status: 404,
        code: 'not_found',
      });
    }
  });
});
