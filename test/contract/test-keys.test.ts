import { expect } from 'chai';
import { roles, type Role } from '#core/kernel/caller/caller.js';
import { limitToRole, permissionsOf } from '#core/kernel/caller/permissions.js';
import { permissionOf, testRefusal, type Operation } from '#core/kernel/operation.js';
import { dashboardSession, inEnvironment } from '#test/account/dashboard/support.js';
import { addMember, secretOf } from '#test/account/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { allOperations, exampleWith, operations } from './support/operations.js';

const isAccountWrite = ({ access, accountWide, impact }: Operation): boolean =>
  access === 'secret' && accountWide === true && !impact.read;

/** Account-wide writes, and writes that only live environments have or only owners may do. */
const restricted = operations.filter(
  (operation) => isAccountWrite(operation) || operation.liveOnly === true || operation.ownerOnly === true,
);

describe('Account-wide writes', () => {
  const platform = usePlatform();
  const shared: { account?: TestAccount } = {};
  const account = (): TestAccount => {
    if (!shared.account) throw new Error('The account is created before the first test.');
    return shared.account;
  };
  before(async () => {
    shared.account = await platform.account();
  });

  it('are the ones that the documentation lists', () => {
    const names = (some: readonly Operation[]): string[] => some.map(({ name }) => name).sort();
    expect(names(allOperations.filter((each) => testRefusal(each) === 'keys'))).to.deep.equal([
      'account.member.invite',
      'account.member.remove',
      'account.member.role.set',
      'account.project.update',
      'account.update',
      'billing.details.set',
      'billing.invoice.pay',
      'billing.payment.confirm',
      'billing.payment.setup',
    ]);
    expect(names(allOperations.filter((each) => testRefusal(each) === 'everyone'))).to.deep.equal([
      'account.close',
      'account.reopen',
      'billing.cap.set',
      'email.domain.add',
      'sms.number.assign',
      'sms.registration.submit',
    ]);
    expect(names(allOperations.filter(({ openToTestKeys }) => openToTestKeys !== undefined))).to.deep.equal([
      'account.project.create',
    ]);
    expect(names(allOperations.filter(({ ownerOnly }) => ownerOnly === true))).to.deep.equal([
      'account.close',
      'account.reopen',
      'billing.cap.set',
      'billing.payment.setup',
    ]);
  });

  /**
   * The code that a call with invalid input is refused with: access is checked before the input, so invalid_input means
   * that the caller may call.
   */
  const codeOf = async (operation: Operation, key: string, environmentId?: string): Promise<string> => {
    const headers = environmentId === undefined ? {} : inEnvironment({ id: environmentId });
    const input = exampleWith(operation, { nonsense: true });
    return (await platform.api.refusal(operation.name, input, { key, ...headers })).code;
  };

  const expected = (operation: Operation, role: Role, caller: 'key' | 'member', kind: 'live' | 'test'): string => {
    const { products } = platform.running.services.deployment;
    if (!limitToRole(role, permissionsOf(products)).includes(permissionOf(operation) ?? ''))
      return 'permission_required';
    const refused = kind === 'test' ? testRefusal(operation) : null;
    if (refused === 'everyone' || (refused === 'keys' && caller === 'key')) return 'live_only';
    return operation.ownerOnly && role !== 'owner' ? 'owner_only' : 'invalid_input';
  };

  for (const role of roles) {
    for (const kind of ['live', 'test'] as const) {
      it(`are open to an ${role}’s secret key of a ${kind} environment as far as role, permissions and environment allow`, async () => {
        const key = await secretOf(platform, account(), { role, environment: account()[kind] });
        for (const operation of restricted)
          expect(await codeOf(operation, key), operation.name).to.equal(expected(operation, role, 'key', kind));
      });

      itNeeding('auth')(`are open to an ${role}’s dashboard session in a ${kind} environment likewise`, async () => {
        const { email } = await addMember(platform, account(), { role });
        const { accessToken } = await dashboardSession(platform, email);
        for (const operation of restricted)
          expect(await codeOf(operation, accessToken, account()[kind].id), operation.name).to.equal(
            expected(operation, role, 'member', kind),
          );
      });
    }
  }

  it('refuse publishable keys and keys without the permission before anything else', async () => {
    for (const kind of ['live', 'test'] as const) {
      const { publishable } = account().keys[kind];
      const bare = await secretOf(platform, account(), {
        role: 'owner',
        permissions: [],
        environment: account()[kind],
      });
      for (const operation of restricted) {
        expect(await codeOf(operation, publishable), operation.name).to.equal('secret_key_required');
        expect(await codeOf(operation, bare), operation.name).to.equal('permission_required');
      }
    }
  });

  it('list live_only among their errors', () => {
    const { registry } = platform.running;
    for (const operation of restricted)
      expect(registry.codesOf(operation).includes('live_only'), operation.name).to.equal(
        testRefusal(operation) !== null,
      );
  });

  it('are open to keys that a test key created only as far as to that key', async () => {
    const { svcTest, test } = account();
    const { products } = platform.running.services.deployment;
    const { plaintext } = await svcTest.call('developers.key.create', {
      name: 'More',
      permissions: permissionsOf(products),
    });
    expect(await platform.api.refusal('account.update', { name: 'Mine' }, { key: plaintext })).to.include({
      code: 'live_only',
    });
    const opened = await svcTest.call('account.project.create', { name: `Another ${test.id}` });
    expect(opened.keys.live).to.equal(null);
    const renamed = { projectId: opened.project.id, name: 'Renamed' };
    const refused = await platform.api.refusal('account.project.update', renamed, { key: opened.keys.test.secret });
    expect(refused).to.include({ status: 403, code: 'live_only' });
    expect(refused.fix).to.contain('a key of the live environment');
  });

  it('cannot be reached through the keys of the live environment: a test key finds none of them', async () => {
    const { svc, svcTest } = account();
    const keyId = (await svc.call('developers.key.current', {})).key?.id ?? '';
    const { keys } = await svcTest.call('developers.key.list', { revoked: true });
    expect(keys.map(({ id }) => id)).not.to.include(keyId);
    for (const [name, input] of [
      ['developers.key.rotate', { keyId }],
      ['developers.key.revoke', { keyId }],
      ['developers.key.update', { keyId, name: 'Mine' }],
    ] as const)
      expect(await svcTest.refusal(name, input), name).to.include({ code: 'not_found' });
  });
});
