import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { permissionsOf } from '#core/kernel/caller/permissions.js';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import type { Api } from '#test/support/api.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding, needProducts } from '#test/support/products.js';
import { addMember, auditOf, keyOf } from '../support.js';

describe('A narrowed membership', () => {
  needProducts('email');
  const platform = usePlatform();
  const guest = (): string => `guest-${randomBytes(4).toString('hex')}@example.com`;
  const marketing = ['email:read', 'email:write'];

  async function sessionOf(account: TestAccount, email: string): Promise<Api> {
    const api = withSession(platform, await dashboardSession(platform, email));
    return {
      ...api,
      call: (name, input, options = {}) => api.call(name, input, { ...inEnvironment(account.live), ...options }),
      refusal: (name, input, options = {}) => api.refusal(name, input, { ...inEnvironment(account.live), ...options }),
    };
  }

  it('is what an invitation says, in the reply, in lists, in the event and in the audit record', async () => {
    const account = await platform.account();
    const { activityId, result } = await account.svc.envelope('account.member.invite', {
      email: guest(),
      permissions: [...marketing].reverse(),
    });
    expect(result.member).to.deep.include({ role: 'developer', permissions: marketing });
    const { members } = await account.svc.call('account.member.list', {});
    expect(members.find(({ id }) => id === result.member.id)?.permissions).to.deep.equal(marketing);
    expect((await platform.events(account.live)).at(-1)?.data).to.deep.equal({ member: result.member });
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'role', from: null, to: 'developer' },
      { field: 'permissions', from: null, to: marketing },
    ]);
    const again = await account.svc.call('account.member.invite', { email: result.member.email });
    expect(again.member.permissions).to.equal(null);
  });

  it('is refused for owners, for what the role does not hold, and for what does not exist', async () => {
    const { svc } = await platform.account();
    const invite = async (role: 'owner' | 'viewer' | 'developer', permission: string): Promise<unknown> =>
      (await svc.refusal('account.member.invite', { email: guest(), role, permissions: [permission] })).details;
    expect(await invite('owner', 'email:read')).to.deep.include({ field: 'permissions' });
    expect(await invite('viewer', 'email:write')).to.deep.include({ field: 'permissions[0]' });
    expect(await invite('developer', 'account:write')).to.deep.include({ field: 'permissions[0]' });
    const refused = await svc.refusal('account.member.invite', { email: guest(), permissions: ['emial:read'] });
    expect(refused).to.include({ code: 'invalid_input' });
    expect(refused.message).to.contain('did you mean email:read?');
  });

  it('gives no more than the caller holds, and lets a caller give what it holds', async () => {
    const account = await platform.account();
    const weak = await keyOf(platform, account, { role: 'admin', permissions: ['account:write', ...marketing] });
    const refused = await weak.refusal('account.member.invite', { email: guest() });
    expect(refused).to.include({ code: 'permission_exceeds_caller' });
    const { member } = await weak.call('account.member.invite', { email: guest(), permissions: marketing });
    expect(member.permissions).to.deep.equal(marketing);
    const more = { memberId: member.id, role: 'developer' as const, permissions: ['developers:write'] };
    expect(await weak.refusal('account.member.role.set', more)).to.include({ code: 'permission_exceeds_caller' });
    // Taking away and giving back count, too.
    expect(await weak.refusal('account.member.role.set', { ...more, permissions: null })).to.include({
      code: 'permission_exceeds_caller',
    });
  });

  it('is kept by a change of role that does not name permissions, as far as the new role holds them', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'developer', permissions: marketing });
    const set = async (input: { role: 'owner' | 'admin' | 'viewer'; permissions?: string[] | null }) =>
      (await account.svc.call('account.member.role.set', { memberId: id, ...input })).member;
    expect(await set({ role: 'admin' })).to.deep.include({ role: 'admin', permissions: marketing });
    expect(await set({ role: 'viewer' })).to.deep.include({ permissions: ['email:read'] });
    expect(await set({ role: 'viewer', permissions: null })).to.deep.include({ permissions: null });
    expect(await set({ role: 'admin', permissions: ['email:write'] })).to.deep.include({
      permissions: ['email:write'],
    });
    const refused = await account.svc.refusal('account.member.role.set', { memberId: id, role: 'viewer' });
    expect(refused).to.deep.include({ code: 'invalid_input', details: { ...refused.details, field: 'permissions' } });
    expect(await set({ role: 'owner' })).to.deep.include({ role: 'owner', permissions: null });
  });

  it('lowers keys and withdraws invitations as a weaker role does, and says so in the audit record', async () => {
    const account = await platform.account();
    const { id, email } = await addMember(platform, account, { role: 'admin' });
    const theirs = await keyOf(platform, account, { role: 'admin', memberId: id });
    const invited = await theirs.call('account.member.invite', { email: guest(), role: 'admin' });
    const narrowing = { memberId: id, role: 'admin' as const, permissions: ['account:read', 'account:write'] };
    const { activityId } = await account.svc.envelope('account.member.role.set', narrowing);
    const { summary, changes } = await auditOf(platform, activityId);
    expect(summary).to.equal(`Changed the permissions of ${email}.`);
    expect(changes).to.deep.include({
      field: 'permissions',
      from: null,
      to: ['account:read', 'account:write'],
    });
    expect(JSON.stringify(changes)).to.contain(invited.member.id).and.contain('"field":"keys"');
    const { role } = await theirs.call('developers.key.current', {});
    expect(role).to.equal('developer');
    const repeat = await account.svc.envelope('account.member.role.set', narrowing);
    expect((await auditOf(platform, repeat.activityId)).changes).to.deep.equal([]);
  });

  itNeeding('auth')('is what the member’s dashboard session may do, at once', async () => {
    const account = await platform.account();
    const { id, email } = await addMember(platform, account, { role: 'admin', permissions: marketing });
    const session = await sessionOf(account, email);
    const { role, permissions, member } = await session.call('developers.key.current', {});
    expect({ role, permissions }).to.deep.equal({ role: 'admin', permissions: marketing });
    expect(member?.permissions).to.deep.equal(marketing);
    await session.call('email.template.list', {});
    const refused = await session.refusal('account.member.list', {});
    expect(refused).to.include({ code: 'permission_required' });
    expect(refused.message).to.contain('Your membership (part of the role admin)').and.contain('account:read');
    await account.svc.call('account.member.role.set', { memberId: id, role: 'admin', permissions: ['account:read'] });
    await session.call('account.member.list', {});
    expect(await session.refusal('email.template.list', {})).to.include({ code: 'permission_required' });
  });

  itNeeding('auth')('never gives keys, endpoints or projects more than it holds', async () => {
    const account = await platform.account();
    const held = ['account:write', 'developers:read', 'developers:write', 'email:read'];
    const { email } = await addMember(platform, account, { role: 'admin', permissions: held });
    const session = await sessionOf(account, email);
    const exceeding = { name: 'More', permissions: ['email:write'] };
    expect(await session.refusal('developers.key.create', exceeding)).to.include({ code: 'permission_exceeds_caller' });
    const { key } = await session.call('developers.key.create', { name: 'Own', permissions: ['email:read'] });
    const widened = { keyId: key.id, permissions: ['email:read', 'email:write'] };
    expect(await session.refusal('developers.key.update', widened)).to.include({ code: 'permission_exceeds_caller' });
    const { keys } = await session.call('account.project.create', { name: 'Theirs' });
    for (const secret of [keys.live?.secret, keys.test.secret])
      expect((await platform.api.call('developers.key.current', {}, { key: secret })).permissions).to.deep.equal(held);
    const url = 'https://hooks.example.com/all';
    const all = await session.refusal('developers.webhook.create', { url, eventTypes: ['account.*'] });
    expect(all).to.include({ code: 'permission_required' });
  });

  itNeeding('auth')('with the most permissions acts for a person with several', async () => {
    const account = await platform.account();
    const { products } = platform.running.services.deployment;
    const email = guest();
    await addMember(platform, account, { role: 'admin', permissions: ['email:read'], email });
    const session = await sessionOf(account, email);
    expect((await session.call('developers.key.current', {})).permissions).to.deep.equal(['email:read']);
    await account.svc.call('account.member.role.set', {
      memberId: (await session.call('developers.key.current', {})).member?.id ?? '',
      role: 'viewer',
      permissions: null,
    });
    const { permissions } = await session.call('developers.key.current', {});
    expect(permissions).to.deep.equal(
      permissionsOf(products)
        .filter((each) => each.endsWith(':read'))
        .sort(),
    );
  });
});
