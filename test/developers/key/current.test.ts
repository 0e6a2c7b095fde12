import { expect } from 'chai';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { makeKey } from './support.js';

describe('developers.key.current', () => {
  const platform = usePlatform();

  it('shows the calling key with its account, project and environment', async () => {
    const { svc, svcTest, accountId, projectId, live, test } = await platform.account();
    for (const [api, environment] of [
      [svc, live],
      [svcTest, test],
    ] as const) {
      const { activityId, result } = await api.envelope('developers.key.current', {});
      expect(activityId).to.equal('');
      expect(result.key).to.include({ name: 'First key', kind: 'secret', environmentId: environment.id });
      expect(result.member).to.equal(null);
      expect(result.account).to.deep.equal({ id: accountId, name: 'Acme' });
      expect(result.project.id).to.equal(projectId);
      expect(result.environment).to.include({ id: environment.id, projectId, kind: environment.kind });
      expect(result.permissions).to.deep.equal(permissionsOf(platform.running.services.deployment.products).sort());
    }
  });

  itNeeding('email')('needs no permission of its own', async () => {
    const account = await platform.account();
    const { id, plaintext } = await makeKey(platform, account, ['email:read']);
    const { key, permissions } = await account.svc.call('developers.key.current', {}, { key: plaintext });
    expect([key?.id, permissions]).to.deep.equal([id, ['email:read']]);
  });

  itNeeding('email')('shows the permissions that the key’s role allows, not all that it names', async () => {
    const account = await platform.account();
    const { plaintext } = await makeKey(platform, account, ['account:write', 'email:read'], 'viewer');
    const { key, role, permissions } = await account.svc.call('developers.key.current', {}, { key: plaintext });
    expect(role).to.equal('viewer');
    expect(permissions).to.deep.equal(['email:read']);
    expect(key?.permissions).to.deep.equal(['account:write', 'email:read']);
  });

  it('shows the remaining requests of the minute', async () => {
    const { svc } = await platform.account();
    const left = [];
    for (let call = 0; call < 3; call += 1) {
      const { rateLimit } = await svc.call('developers.key.current', {});
      expect(rateLimit.limit).to.equal(600);
      expect(new Date(rateLimit.resetsAt).getTime()).to.be.greaterThan(platform.clock.now().getTime());
      left.push(rateLimit.remaining);
    }
    expect(left).to.deep.equal([599, 598, 597]);
  });

  it('refuses publishable keys', async () => {
    const { svc, keys } = await platform.account();
    const refused = await svc.refusal('developers.key.current', {}, { key: keys.live.publishable });
    expect(refused).to.include({ status: 403, code: 'secret_key_required' });
  });

  it('takes no input', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('developers.key.current', { keyId: 'x' });
    expect([refused.code, refused.details]).to.deep.equal(['invalid_input', { field: 'keyId' }]);
  });
});
