import { expect } from 'chai';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { permissionOf } from '#core/kernel/operation.js';
import { dashboardSession, inEnvironment } from '#test/account/dashboard/support.js';
import { addMember, secretOf } from '#test/account/support.js';
import { seconds } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { exampleWith, isForPublishable, isForSecret, operations } from './support/operations.js';

const unknown = {
  secret: `svc_test_${'x'.repeat(43)}`,
  publishable: `svc_test_pk${'x'.repeat(40)}`,
};

describe('Access to every operation', () => {
  const platform = usePlatform();
  const shared: { account?: TestAccount } = {};
  const account = (): TestAccount => {
    if (!shared.account) throw new Error('The account is created before the first test.');
    return shared.account;
  };
  before(async () => {
    shared.account = await platform.account();
  });

  for (const operation of operations.filter(({ access }) => access !== 'public')) {
    it(`${operation.name} refuses a call without a key, with an unknown key and with a malformed one`, async () => {
      for (const key of ['', unknown.secret, unknown.publishable, 'Basic']) {
        const refusal = await platform.api.refusal(operation.name, exampleWith(operation), { key });
        expect(refusal, key).to.include({ code: 'unauthenticated', status: 401 });
      }
    });
  }

  for (const operation of operations.filter(isForSecret)) {
    it(`${operation.name} refuses a publishable key`, async () => {
      // One address makes 120 calls a minute with a publishable key.
      platform.clock.advance(seconds(1));
      const { publishable } = account().keys.live;
      const refusal = await platform.api.refusal(operation.name, exampleWith(operation), { key: publishable });
      expect(refusal).to.include({ code: 'secret_key_required', status: 403 });
    });
  }

  for (const operation of operations.filter(isForPublishable)) {
    it(`${operation.name} refuses a secret key`, async () => {
      const { secret } = account().keys.live;
      const refusal = await platform.api.refusal(operation.name, exampleWith(operation), { key: secret });
      expect(refusal).to.include({ code: 'publishable_key_required', status: 403 });
    });
  }

  for (const operation of operations.filter(({ access }) => access === 'operator')) {
    it(`${operation.name} refuses accounts other than the operator’s`, async () => {
      const refusal = await account().svc.refusal(operation.name, exampleWith(operation));
      expect(refusal).to.include({ code: 'operator_only', status: 403 });
    });
  }

  for (const operation of operations.filter(({ access }) => access === 'secret')) {
    const permission = permissionOf(operation);
    if (permission === null) {
      it(`${operation.name} needs no permission`, async () => {
        const key = await secretOf(platform, account(), { role: 'owner', permissions: [] });
        const answer = await platform.api.raw(
          `/${operation.name.replaceAll('.', '/')}`,
          JSON.stringify(exampleWith(operation)),
          { key },
        );
        expect(answer.status).to.equal(200);
      });
      continue;
    }
    it(`${operation.name} refuses a key that has every permission except ${permission}, and names it`, async () => {
      const { products } = platform.running.services.deployment;
      const permissions = permissionsOf(products).filter((each) => each !== permission);
      const key = await secretOf(platform, account(), { role: 'owner', permissions });
      const refusal = await platform.api.refusal(operation.name, exampleWith(operation), { key });
      expect(refusal).to.include({ code: 'permission_required', status: 403 });
      expect(refusal.message).to.contain(permission);
      expect(refusal.fix).to.contain(permission);
    });
  }

  itNeeding('auth')(
    'every operation asks a narrowed member for its permission, and open ones do not',
    async function () {
      this.timeout(60_000);
      const { products } = platform.running.services.deployment;
      const held = permissionsOf(products).filter((each) => /^(email|audience|sms):/.test(each));
      const { email } = await addMember(platform, account(), { role: 'admin', permissions: held });
      const { accessToken } = await dashboardSession(platform, email);
      const environment = inEnvironment(account().live);
      for (const operation of operations.filter(({ access }) => access === 'secret')) {
        const permission = permissionOf(operation);
        if (permission === null) continue;
        platform.clock.advance(seconds(1));
        const input = exampleWith(operation, { nonsense: true });
        const refusal = await platform.api.refusal(operation.name, input, { key: accessToken, ...environment });
        // Access is checked before the input.
        const expected = held.includes(permission) ? 'invalid_input' : 'permission_required';
        expect(refusal.code, operation.name).to.equal(expected);
        if (expected === 'permission_required')
          expect(refusal.message).to.contain('Your membership').and.contain(permission);
      }
    },
  );

  it('checks the origin of a publishable key before anything else', async () => {
    // The account of the tests above has as many keys as it may.
    const { svc } = await platform.account();
    const { plaintext } = await svc.call('developers.key.create', {
      name: 'Shop window',
      kind: 'publishable',
      allowedOrigins: ['https://shop.example'],
    });
    const from = async (headers: Record<string, string>): Promise<string> =>
      (await platform.api.refusal('account.get', {}, { key: plaintext, headers })).code;
    expect(await from({ Origin: 'https://evil.example' })).to.equal('origin_not_allowed');
    expect(await from({ Origin: 'https://shop.example' })).to.equal('secret_key_required');
    expect(await from({})).to.equal('secret_key_required');
  });

  it('checks the permission before the input', async () => {
    const key = await secretOf(platform, account(), { role: 'owner', permissions: [] });
    const refusal = await platform.api.refusal('account.update', { nonsense: true }, { key });
    expect(refusal.code).to.equal('permission_required');
  });

  for (const operation of operations.filter(({ access }) => access === 'public')) {
    it(`${operation.name} needs no key`, async () => {
      const path = `/${operation.name.replaceAll('.', '/')}`;
      const { status, text } = await platform.api.raw(path, JSON.stringify(exampleWith(operation)));
      expect(text).not.to.contain('"unauthenticated"');
      // A key sent along is ignored, even an unknown one.
      const keyed = await platform.api.raw(path, JSON.stringify(exampleWith(operation)), { key: unknown.secret });
      expect(keyed.status).to.equal(status);
    });
  }
});
