import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { addMember } from '../support.js';

describe('account.member.list', () => {
  const platform = usePlatform();

  it('lists active and invited members, newest first', async () => {
    const account = await platform.account();
    const active = await addMember(platform, account, { role: 'developer' });
    const invited = await addMember(platform, account, { role: 'viewer', status: 'invited' });
    await addMember(platform, account, { role: 'admin', status: 'removed' });
    const { activityId, result } = await account.svc.envelope('account.member.list', {});
    expect(activityId).to.equal('');
    expect(result.members.map(({ id }) => id)).to.deep.equal([invited.id, active.id, account.memberId]);
    expect(result.nextBefore).to.equal(null);
    expect(result.members[0]).to.deep.equal({
      id: invited.id,
      email: invited.email,
      role: 'viewer',
      permissions: null,
      status: 'invited',
      invitedBy: 'owner@example.com',
      inviteExpiresAt: invited.inviteExpiresAt?.toISOString(),
      acceptedAt: null,
      createdAt: invited.createdAt.toISOString(),
      updatedAt: invited.createdAt.toISOString(),
    });
  });

  it('lists one status where it is given, including removed members', async () => {
    const account = await platform.account();
    const invited = await addMember(platform, account, { role: 'viewer', status: 'invited' });
    const removed = await addMember(platform, account, { role: 'admin', status: 'removed' });
    const ids = async (status: 'invited' | 'active' | 'removed'): Promise<string[]> =>
      (await account.svc.call('account.member.list', { status })).members.map(({ id }) => id);
    expect(await ids('invited')).to.deep.equal([invited.id]);
    expect(await ids('active')).to.deep.equal([account.memberId]);
    expect(await ids('removed')).to.deep.equal([removed.id]);
  });

  it('pages through any number of members without gap or repeat', async () => {
    const account = await platform.account();
    for (let n = 0; n < 4; n += 1) await addMember(platform, account, { role: 'viewer' });
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await account.svc.call('account.member.list', {
        limit: 2,
        ...(before === undefined ? {} : { before }),
      });
      seen.push(...page.members.map(({ id }) => id));
      before = page.nextBefore ?? undefined;
    } while (before !== undefined);
    expect(seen).to.have.length(5);
    expect(seen).to.deep.equal([...new Set(seen)].sort().reverse());
  });

  it('shows the same members in each environment of the account, and none of another account', async () => {
    const [account, other] = [await platform.account(), await platform.account()];
    await addMember(platform, other, { role: 'developer' });
    const live = await account.svc.call('account.member.list', {});
    expect(live.members.map(({ email }) => email)).to.deep.equal([account.ownerEmail]);
    expect(await account.svcTest.call('account.member.list', {})).to.deep.equal(live);
  });
});
