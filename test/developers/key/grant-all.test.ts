import { expect } from 'chai';
import { keyIssuer } from '#core/kernel/ports.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';

describe('npm run bootstrap -- --grant', () => {
  const platform = usePlatform();
  const grant = (keyId: string): Promise<{ name: string; permissions: readonly string[] } | null> =>
    platform.running.services.transaction('npm run bootstrap', ({ use }) => use(keyIssuer).grantAll(keyId));

  /** A key as one is that was made before the product sms was enabled. */
  async function olderKey({ svc }: TestAccount): Promise<{ id: string; key: string }> {
    const permissions = ['developers:read', 'developers:write', 'account:read'];
    const { key, plaintext } = await svc.call('developers.key.create', { name: 'Older key', permissions });
    return { id: key.id, key: plaintext };
  }

  itNeeding('sms')('gives a key all permissions of its role, which no key that lacks them can grant', async () => {
    const account = await platform.account();
    const { id, key } = await olderKey(account);
    const wider = { keyId: id, permissions: ['sms:read'] };
    const refusal = await account.svc.refusal('developers.key.update', wider, { key });
    expect(refusal.code).to.equal('permission_exceeds_caller');
    expect(refusal.fix).to.contain('npm run bootstrap -- --grant');
    expect(await account.svc.refusal('sms.settings.get', {}, { key })).to.include({ code: 'permission_required' });

    const granted = await grant(id);
    expect(granted?.name).to.equal('Older key');
    expect(granted?.permissions).to.include.members(['account:read', 'account:write', 'sms:read', 'sms:write']);
    await account.svc.call('sms.settings.get', {}, { key });
    const { activities } = await account.svc.call('account.activity.list', {});
    expect(activities[0]).to.include({
      operation: 'developers.key.update',
      summary: 'The operator gave the key “Older key” every permission of its role.',
    });
    const { events } = await account.svc.call('developers.event.list', { types: ['developers.key.updated'] });
    expect(events).to.have.length(1);

    await grant(id);
    const repeated = await account.svc.call('developers.event.list', { types: ['developers.key.updated'] });
    expect(repeated.events, 'a repeat changes nothing').to.have.length(1);
  });

  it('changes no key that is revoked or publishable, and none that does not exist', async () => {
    const account = await platform.account();
    const { id } = await olderKey(account);
    await account.svc.call('developers.key.revoke', { keyId: id });
    const { keys } = await account.svc.call('developers.key.list', {});
    const publishable = keys.find(({ kind }) => kind === 'publishable')?.id ?? '';
    expect([await grant(id), await grant(publishable), await grant(account.live.id)]).to.deep.equal([null, null, null]);
  });
});
