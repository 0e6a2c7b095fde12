import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { lockEnvironment } from '#core/kernel/environment/environment.js';
import type { Api } from '#test/support/api.js';
import { untilWaiting } from '#test/support/lock-waits.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { addMember, auditOf, keyOf, secretOf } from '../support.js';

const lowerings = {
  'account.member.remove': (svc: Api, memberId: string) => svc.envelope('account.member.remove', { memberId }),
  'account.member.role.set': (svc: Api, memberId: string) =>
    svc.envelope('account.member.role.set', { memberId, role: 'viewer' }),
};

for (const [operation, lower] of Object.entries(lowerings)) {
  describe(`${operation}: the keys that the member created`, () => {
    const platform = usePlatform();

    const accountWithAdmin = async (): Promise<{ account: TestAccount; memberId: string; theirs: Api }> => {
      const account = await platform.account();
      const { id } = await addMember(platform, account, { role: 'admin' });
      return { account, memberId: id, theirs: await keyOf(platform, account, { role: 'admin', memberId: id }) };
    };
    const permissionsOf = async (api: Api): Promise<string[]> =>
      (await api.call('developers.key.current', {})).permissions;

    itNeeding('email')('go on sending, and stop administering from the next request on', async () => {
      const { account, memberId, theirs } = await accountWithAdmin();
      await lower(account.svc, memberId);
      await theirs.call('email.send', { to: account.ownerEmail, subject: 'Still sent', text: 'By a lowered key.' });
      for (const [name, input] of [
        ['developers.key.create', { name: 'More', permissions: ['email:write'] }],
        ['account.project.create', { name: 'More' }],
        ['account.member.invite', { email: 'friend@example.com' }],
      ] as const)
        expect(await theirs.refusal(name, input), name).to.include({ status: 403, code: 'permission_required' });
      const permissions = await permissionsOf(theirs);
      expect(permissions).to.include.members(['account:read', 'developers:read', 'email:write']);
      expect(permissions).to.not.include.members(['developers:write']).and.not.include.members(['account:write']);
    });

    itNeeding('email')('are lowered together with the keys that those keys created', async () => {
      const { account, memberId, theirs } = await accountWithAdmin();
      const permissions = ['developers:write', 'email:write'];
      const child = await theirs.call('developers.key.create', { name: 'Child', permissions });
      const grandchild = await theirs.call(
        'developers.key.create',
        { name: 'Grandchild', permissions },
        { key: child.plaintext },
      );
      await lower(account.svc, memberId);
      for (const { plaintext: key } of [child, grandchild]) {
        const refused = await theirs.refusal('developers.key.create', { name: 'More', permissions }, { key });
        expect(refused).to.include({ code: 'permission_required' });
        expect((await theirs.call('developers.key.current', {}, { key })).permissions).to.deep.equal(['email:write']);
      }
    });

    itNeeding('email')('are listed in the audit record, as they were and as they are now', async () => {
      const { account, memberId, theirs } = await accountWithAdmin();
      const { key: sender } = await theirs.call('developers.key.create', {
        name: 'Sender',
        permissions: ['email:write'],
      });
      const { key: revoked } = await theirs.call('developers.key.create', { name: 'Old', permissions: ['email:read'] });
      await theirs.call('developers.key.revoke', { keyId: revoked.id });
      const first = (await theirs.call('developers.key.current', {})).key;
      const { activityId } = await lower(account.svc, memberId);
      const { changes } = await auditOf(platform, activityId);
      const listed = { environmentId: account.live.id };
      const all = [...(first?.permissions ?? [])];
      const withoutAdministration = all.filter((each) => each !== 'developers:write');
      expect(Array.isArray(changes) ? changes.filter(({ field }) => field === 'keys') : []).to.deep.equal([
        {
          field: 'keys',
          from: [
            { ...listed, id: first?.id, name: 'First key', role: 'admin', permissions: all },
            { ...listed, id: sender.id, name: 'Sender', role: 'admin', permissions: ['email:write'] },
          ],
          to: [
            { ...listed, id: first?.id, name: 'First key', role: 'developer', permissions: withoutAdministration },
            { ...listed, id: sender.id, name: 'Sender', role: 'developer', permissions: ['email:write'] },
          ],
        },
      ]);
    });

    itNeeding('email')('include keys that the member rotated, until someone else rotates them', async () => {
      const { account, memberId, theirs } = await accountWithAdmin();
      const own = { name: 'Shop', permissions: ['developers:write', 'email:write'] };
      const shop = await keyOf(platform, account, { role: 'admin', permissions: own.permissions });
      const office = await keyOf(platform, account, { role: 'admin', permissions: own.permissions });
      const idOf = async (api: Api): Promise<string> => (await api.call('developers.key.current', {})).key?.id ?? '';
      const rotated = await theirs.call('developers.key.rotate', { keyId: await idOf(shop) });
      const passedOn = await theirs.call('developers.key.rotate', { keyId: await idOf(office) });
      const back = await account.svc.call('developers.key.rotate', { keyId: passedOn.key.id });
      await lower(account.svc, memberId);
      const left = async (key: string): Promise<string[]> =>
        (await account.svcTest.call('developers.key.current', {}, { key })).permissions;
      expect(await left(rotated.plaintext)).to.deep.equal(['email:write']);
      expect(await left(back.plaintext)).to.deep.equal(own.permissions);
    });

    it('are the only ones that change, not those of the account, other members or other accounts', async () => {
      const { account, memberId } = await accountWithAdmin();
      const colleague = await addMember(platform, account, { role: 'admin' });
      const other = await platform.account();
      const others = [
        account.svc,
        account.svcTest,
        await keyOf(platform, account, { role: 'admin', memberId: colleague.id }),
        other.svc,
      ];
      const before = await Promise.all(others.map(permissionsOf));
      await lower(account.svc, memberId);
      expect(await Promise.all(others.map(permissionsOf))).to.deep.equal(before);
      expect(before.flat()).to.include('developers:write');
    });

    it('are not lowered while one of them is the last to hold developers:write in its environment', async () => {
      const { account, memberId } = await accountWithAdmin();
      const admin = await keyOf(platform, account, { role: 'admin', memberId, environment: account.live });
      const { environments, keys } = await admin.call('account.project.create', { name: 'Theirs' });
      const created = (kind: 'live' | 'test'): Environment => ({
        ...account[kind],
        ...environments.find((each) => each.kind === kind),
      });
      const refusal = async (): Promise<unknown> => {
        try {
          await lower(account.svc, memberId);
          return undefined;
        } catch (error) {
          return error;
        }
      };
      const refused = String(await refusal());
      expect(refused).to.contain('answered 409').and.contain('last_key').and.contain(created('live').id);
      expect(await permissionsOf(admin)).to.include('developers:write');
      // Another key of the same member does not count.
      await account.svc.call(
        'developers.key.create',
        { name: 'Theirs too', permissions: ['developers:write'] },
        { key: keys.live?.secret },
      );
      expect(String(await refusal())).to.contain('last_key');
      for (const kind of ['live', 'test'] as const)
        await secretOf(platform, account, { role: 'owner', environment: created(kind) });
      await lower(account.svc, memberId);
      expect(await permissionsOf(admin)).to.not.include('developers:write');
    });

    itNeeding('email')(
      'grant nothing in calls that were authenticated before and waited for the lock',
      async function () {
        this.timeout(60_000);
        const { account, memberId, theirs } = await accountWithAdmin();
        const node = await platform.secondNode();
        const racer = node.as(await secretOf(platform, account, { role: 'admin', memberId }));
        const keyId = (await account.svcTest.call('developers.key.current', {})).key?.id ?? '';
        const child = await theirs.call('developers.key.create', { name: 'Child', permissions: ['email:write'] });
        // Keeps an administrator in the environment when the racer rotates the account's own key.
        await secretOf(platform, account, { role: 'owner' });
        const { database } = platform.running.services;
        const waiting = (count: number): Promise<void> => untilWaiting(platform, count, `${count} calls to wait`);
        const started: Promise<unknown>[] = [];
        const answers: Promise<{ status: number; text: string }>[] = [];
        await database.transaction(async (db) => {
          // The lowering waits here, with the account locked; the calls after it have been let in as an admin's.
          await lockEnvironment(db, account.test.id);
          started.push(lower(account.svc, memberId));
          await waiting(1);
          const call = (path: string, input: object): void => {
            answers.push(racer.raw(path, JSON.stringify(input)));
          };
          call('/account/project/create', { name: 'Racing' });
          call('/account/member/invite', { email: 'friend@example.com', role: 'admin' });
          call('/developers/key/create', { name: 'Racing', permissions: ['developers:write'] });
          call('/developers/key/update', { keyId: child.key.id, permissions: ['developers:write'] });
          call('/developers/key/rotate', { keyId });
          await waiting(6);
        });
        await Promise.all(started);
        for (const { status, text } of await Promise.all(answers)) {
          // A key call may also have been first: what it created is then lowered with the rest.
          if (status !== 200) expect(text).to.contain('permission_required');
        }
        const stronger = `member_id = 0x${memberId.replaceAll('-', '')} AND kind = 'secret' AND revoked_at IS NULL
        AND (role IN ('owner', 'admin') OR JSON_SEARCH(permissions, 'one', 'developers:write') IS NOT NULL)`;
        expect(await platform.count('developers_key', stronger)).to.equal(0);
        expect(await platform.count('account_member', "email = 'friend@example.com'")).to.equal(0);
      },
    );
  });
}

describe('account.member.role.set: the keys that the member created', () => {
  const platform = usePlatform();

  it('are lowered to developer when an owner becomes an admin', async () => {
    const account = await platform.account();
    const second = await addMember(platform, account, { role: 'owner' });
    const theirs = await keyOf(platform, account, { role: 'owner', memberId: second.id });
    await account.svc.call('account.member.role.set', { memberId: second.id, role: 'admin' });
    expect(await theirs.refusal('account.update', { name: 'Mine' })).to.include({ code: 'permission_required' });
  });
});

describe('keys that no member created', () => {
  const platform = usePlatform({ settings: () => ({ SVC_SIGNUP: 'open' }) });

  it('keep working after the owner who signed up is removed', async () => {
    const signup = { name: 'Acme', email: 'founder@example.com' };
    const { account, environments, keys } = await platform.api.call('account.signup', signup);
    await addMember(platform, { accountId: account.id }, { role: 'owner' });
    const options = { key: keys.secret };
    const { members } = await platform.api.call('account.member.list', {}, options);
    const founder = members.find(({ email }) => email === signup.email);
    const found = environments.find(({ kind }) => kind === 'live');
    if (!found) throw new Error('There is no live environment.');
    const live: Environment = { ...found, accountId: account.id, closedAt: null, archivedAt: null, operator: false };
    const key = await secretOf(platform, { live }, { role: 'owner' });
    await platform.api.call('account.member.remove', { memberId: founder?.id ?? '' }, { key });
    const held = (await platform.api.call('developers.key.current', {}, options)).permissions;
    expect(held).to.include.members(['account:write', 'developers:write']);
  });

  it('keep working after the first start’s owner is removed', async () => {
    const options = { key: platform.running.firstRun?.keys.live.secret };
    const { members } = await platform.api.call('account.member.list', {}, options);
    const { account } = await platform.api.call('account.get', {}, options);
    await addMember(platform, { accountId: account.id }, { role: 'owner' });
    await platform.api.call('account.member.remove', { memberId: members[0]?.id ?? '' }, options);
    expect((await platform.api.call('account.update', { name: 'Anew' }, options)).account.name).to.equal('Anew');
  });
});
