import { expect } from 'chai';
import { accountOpener } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { usePlatform } from '#test/support/platform.js';
import { addMember, auditOf, eventNames, keyOf, secretOf, refusalBody } from '../support.js';

describe('account.member.remove', () => {
  const platform = usePlatform();

  it('removes a member, with an event and an audit record', async () => {
    const account = await platform.account();
    const { id, email } = await addMember(platform, account, { role: 'developer' });
    const { activityId, result } = await account.svc.envelope('account.member.remove', { memberId: id });
    expect(result.member).to.include({ id, email, role: 'developer', status: 'removed' });
    expect((await platform.events(account.live)).at(-1)).to.deep.equal({
      type: 'account.member.removed',
      subjectId: id,
      activityId,
      data: { member: result.member },
    });
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'account.member.remove',
      subjectId: id,
      summary: `Removed ${email}.`,
      changes: [{ field: 'status', from: 'active', to: 'removed' }],
      accountWide: true,
    });
    expect((await account.svc.call('account.get', {})).memberCount).to.equal(1);
  });

  it('withdraws an invitation, and deletes its link', async () => {
    const account = await platform.account();
    const { id, email } = await addMember(platform, account, { role: 'developer', status: 'invited' });
    const { activityId, result } = await account.svc.envelope('account.member.remove', { memberId: id });
    expect(result.member).to.include({ status: 'removed', acceptedAt: null });
    expect((await auditOf(platform, activityId)).summary).to.equal(`Withdrew the invitation of ${email}.`);
    expect(
      await platform.count('account_member', `id = 0x${id.replaceAll('-', '')} AND invite_sealed IS NULL`),
    ).to.equal(1);
  });

  it('answers a repeat with 200, without an event, and with an audit record without changes', async () => {
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'developer' });
    const first = await account.svc.envelope('account.member.remove', { memberId: id });
    const again = await account.svc.envelope('account.member.remove', { memberId: id });
    expect(again.result).to.deep.equal(first.result);
    expect(await eventNames(platform, account.live)).to.deep.equal(['account.member.removed']);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.deep.include({ subjectId: id, changes: [] });
  });

  it('lets only an owner remove an owner, active or invited', async () => {
    const account = await platform.account();
    const admin = await keyOf(platform, account, { role: 'admin' });
    const second = await addMember(platform, account, { role: 'owner' });
    const invited = await addMember(platform, account, { role: 'owner', status: 'invited' });
    for (const { id } of [second, invited]) {
      expect(await admin.refusal('account.member.remove', { memberId: id })).to.include({
        status: 403,
        code: 'owner_only',
      });
      expect((await account.svc.call('account.member.remove', { memberId: id })).member.status).to.equal('removed');
    }
  });

  it('lets an admin remove everyone else', async () => {
    const account = await platform.account();
    const admin = await keyOf(platform, account, { role: 'admin' });
    const { id } = await addMember(platform, account, { role: 'admin' });
    expect((await admin.call('account.member.remove', { memberId: id })).member.status).to.equal('removed');
  });

  it('refuses to remove the last owner; invited owners do not count', async () => {
    const account = await platform.account();
    await addMember(platform, account, { role: 'owner', status: 'invited' });
    const refused = await account.svc.refusal('account.member.remove', { memberId: account.memberId });
    expect(refused).to.include({ status: 409, code: 'last_owner' });
    expect(await eventNames(platform, account.live)).to.deep.equal([]);
  });

  it('keeps one owner when two owners remove each other concurrently, in either order', async function () {
    this.timeout(30_000);
    const node = await platform.secondNode();
    for (let round = 0; round < 6; round += 1) {
      const account = await platform.account();
      const second = await addMember(platform, account, { role: 'owner' });
      const theirs = node.as(await secretOf(platform, account, { role: 'owner', memberId: second.id }));
      const answers = await Promise.allSettled<unknown>([
        account.svc.call('account.member.remove', { memberId: second.id }),
        round % 2 === 0
          ? theirs.call('account.member.remove', { memberId: account.memberId })
          : theirs.call('account.member.role.set', { memberId: account.memberId, role: 'viewer' }),
      ]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      const owners = `account_id = 0x${account.accountId.replaceAll('-', '')} AND role = 'owner' AND status = 'active'`;
      expect(await platform.count('account_member', owners)).to.equal(1);
    }
  });

  it('removes a member once in 20 concurrent calls', async function () {
    this.timeout(30_000);
    const account = await platform.account();
    const { id } = await addMember(platform, account, { role: 'developer' });
    await Promise.all(Array.from({ length: 20 }, () => account.svc.call('account.member.remove', { memberId: id })));
    expect(await eventNames(platform, account.live)).to.deep.equal(['account.member.removed']);
  });

  it('answers another account’s member like one that does not exist', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    const theirs = await addMember(platform, other, { role: 'viewer' });
    const unknown = refusalBody(await account.svc.refusal('account.member.remove', { memberId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(refusalBody(await account.svc.refusal('account.member.remove', { memberId: theirs.id }))).to.deep.equal(
      unknown,
    );
  });

  it('lets the owner who opened the account open another one with the same address', async () => {
    const account = await platform.account();
    await addMember(platform, account, { role: 'owner' });
    await account.svc.call('account.member.remove', { memberId: account.memberId });
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
