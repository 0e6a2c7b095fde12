import { expect } from 'chai';
import { accountOpener } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import type { TestAccount } from '#test/support/platform.js';
import { usePlatform } from '#test/support/platform.js';
import { addMember, auditOf, eventNames, keyOf, secretOf, refusalBody } from '../../support.js';

describe('account.member.role.set', () => {
  const platform = usePlatform();

  const activeOwners = ({ accountId }: TestAccount): Promise<number> =>
    platform.count(
      'account_member',
      `account_id = 0x${accountId.replaceAll('-', '')} AND role = 'owner' AND status = 'active'`,
    );

  it('changes a member’s role, with an event and the change in the audit record', async () => {
    const account = await platform.account();
    const { id, email } = await addMember(platform, account, { role: 'developer' });
    const { activityId, result } = await account.svc.envelope('account.member.role.set', {
      memberId: id,
      role: 'admin',
    });
    expect(result.member).to.include({ id, email, role: 'admin', status: 'active' });
    expect((await platform.events(account.live)).at(-1)).to.deep.equal({
      type: 'account.member.role_changed',
      subjectId: id,
      activityId,
      data: { member: result.member },
    });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'account.member.role.set',
      subjectId: id,
      summary: `Changed the role of ${email} from developer to admin.`,
      changes: [{ field: 'role', from: 'developer', to: 'admin' }],
      accountWide: true,
    });
  });

  it('answers a repeat with 200, without an event, and with an audit record without changes', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'developer' });
    const first = await account.svc.envelope('account.member.role.set', { memberId: id, role: 'viewer' });
    const again = await account.svc.envelope('account.member.role.set', { memberId: id, role: 'viewer' });
    expect(again.result).to.deep.equal(first.result);
    expect(await eventNames(platform, account.live)).to.deep.equal(['account.member.role_changed']);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.deep.include({ subjectId: id, changes: [] });
  });

  it('keeps what another owner has set meanwhile, if it says what it has read', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'developer' });
    const listed = await account.svc.call('account.member.list', {});
    const read = listed.members.find((each) => each.id === id)?.updatedAt ?? '';
    const set = { memberId: id, ifUnchangedSince: read };
    const { member } = await account.svc.call('account.member.role.set', { ...set, role: 'viewer' });
    expect(Date.parse(member.updatedAt)).to.be.greaterThan(Date.parse(read));
    const refused = await account.svc.refusal('account.member.role.set', { ...set, role: 'admin' });
    expect(refused.code).to.equal('changed_meanwhile');
    expect(refused.details).to.deep.include({ updatedAt: member.updatedAt });
    const { members } = await account.svc.call('account.member.list', {});
    expect(members.find((each) => each.id === id)).to.deep.equal(member);
    const again = await account.svc.call('account.member.role.set', {
      memberId: id,
      role: 'admin',
      ifUnchangedSince: member.updatedAt,
    });
    expect(again.member.role).to.equal('admin');
  });

  it('changes the role of an open invitation', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'developer', status: 'invited' });
    const { member } = await account.svc.call('account.member.role.set', { memberId: id, role: 'viewer' });
    expect(member).to.include({ role: 'viewer', status: 'invited' });
  });

  it('does not change the keys of a member who is promoted', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'viewer' });
    const theirs = await keyOf(platform, account, { role: 'viewer', memberId: id });
    await account.svc.call('account.member.role.set', { memberId: id, role: 'admin' });
    expect(await theirs.refusal('account.project.create', { name: 'Risen' })).to.include({
      code: 'permission_required',
    });
  });

  it('lets only an owner promote to owner or demote an owner', async () => {
    const account = await platform.account();
    const admin = await keyOf(platform, account, { role: 'admin' });
    const developer = await addMember(platform, account, { role: 'developer' });
    const made = await admin.refusal('account.member.role.set', { memberId: developer.id, role: 'owner' });
    expect(made).to.include({ status: 403, code: 'owner_only' });
    const unmade = await admin.refusal('account.member.role.set', { memberId: account.memberId, role: 'viewer' });
    expect(unmade).to.include({ status: 403, code: 'owner_only' });
    await admin.call('account.member.role.set', { memberId: developer.id, role: 'admin' });
    const { member } = await account.svc.call('account.member.role.set', { memberId: developer.id, role: 'owner' });
    expect(member.role).to.equal('owner');
  });

  it('refuses to grant or take away more than the caller holds, and names the missing permissions', async () => {
    const account = await platform.account();
    const weak = await keyOf(platform, account, {
      role: 'owner',
      permissions: ['account:read', 'account:write', 'developers:read', 'email:read'],
    });
    const viewer = await addMember(platform, account, { role: 'viewer' });
    const granted = await weak.refusal('account.member.role.set', { memberId: viewer.id, role: 'developer' });
    expect(granted).to.include({ status: 403, code: 'permission_exceeds_caller' });
    expect(granted.message).to.contain('developers:write').and.not.to.contain('account:write');
    const admin = await addMember(platform, account, { role: 'admin' });
    const taken = await weak.refusal('account.member.role.set', { memberId: admin.id, role: 'viewer' });
    expect(taken).to.include({ code: 'permission_exceeds_caller' });
    expect(await eventNames(platform, account.test)).not.to.include('account.member.role_changed');
  });

  it('refuses to demote the last owner; invited owners and other accounts’ owners do not count', async () => {
    const account = await platform.account();
    await addMember(platform, account, { role: 'owner', status: 'invited' });
    await addMember(platform, await platform.account(), { role: 'owner' });
    const refused = await account.svc.refusal('account.member.role.set', { memberId: account.memberId, role: 'admin' });
    expect(refused).to.include({ status: 409, code: 'last_owner' });
    await addMember(platform, account, { role: 'owner' });
    const { member } = await account.svc.call('account.member.role.set', { memberId: account.memberId, role: 'admin' });
    expect(member.role).to.equal('admin');
  });

  it('keeps one owner when two owners demote each other concurrently', async function () {
    this.timeout(30_000);
    const node = await platform.secondNode();
    for (let round = 0; round < 5; round += 1) {
      const account = await platform.account();
      const second = await addMember(platform, account, { role: 'owner' });
      const theirs = await secretOf(platform, account, { role: 'owner', memberId: second.id });
      const answers = await Promise.allSettled([
        account.svc.call('account.member.role.set', { memberId: second.id, role: 'admin' }),
        node.as(theirs).call('account.member.role.set', { memberId: account.memberId, role: 'admin' }),
      ]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(await activeOwners(account)).to.equal(1);
    }
  });

  it('answers another account’s member, and a removed one, like one that does not exist', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const removed = await addMember(platform, account, { role: 'viewer', status: 'removed' });
    const refusal = async (memberId: string): Promise<unknown> =>
      refusalBody(await account.svc.refusal('account.member.role.set', { memberId, role: 'viewer' }));
    const unknown = await refusal(newId());
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(await refusal(other.memberId)).to.deep.equal(unknown);
    expect(await refusal(removed.id)).to.deep.equal(unknown);
  });

  it('lets the owner who opened the account open another one with the same address', async () => {
    const account = await platform.account();
    await addMember(platform, account, { role: 'owner' });
    await account.svc.call('account.member.role.set', { memberId: account.memberId, role: 'viewer' });
    const opened = await platform.running.services.transaction('Test', ({ use }) =>
      use(accountOpener).open({
        name: 'Anew',
        email: account.ownerEmail,
        projectName: 'Anew',
        proven: true,
        operator: false,
      }),
    );
    expect(opened.accountId).not.to.equal(account.accountId);
  });
});
