import { expect } from 'chai';
import { retentionJobs } from '#plugins/auth/retention.js';
import { eventsOf } from '#test/audience/support.js';
import { invited, join, organizationOf, person, type Person } from '#test/auth/people.js';
import { useMail } from '#test/email/support.js';
import { days, hours } from '#test/support/clock.js';
import { searchDatabase } from '#test/support/search-database.js';

describe('Invitations to an organization', () => {
  const mail = useMail();
  const { platform } = mail;

  async function team() {
    const account = await platform.account();
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    const describe = (token: string) =>
      platform.api.call('auth.org.invite.describe', { token }, { key: account.keys.live.publishable });
    return { account, owner, organizationId, describe };
  }

  it('reach the person by mail, whose link the person accepts with the invited address', async () => {
    const { account, owner, organizationId, describe } = await team();
    const { token } = await invited(platform, owner, { organizationId, email: 'Bob@example.com', role: 'admin' });
    const [received] = await mail.smtp.waitFor((all) =>
      all.some(({ recipients }) => recipients.includes('Bob@example.com')),
    );
    expect(JSON.stringify(received)).to.contain('Analytical Engines');
    expect(await describe(token)).to.include({
      organizationName: 'Analytical Engines',
      email: 'B•••@example.com',
      role: 'admin',
    });
    const bob = await person(platform, account, 'bob');
    const stranger = await person(platform, account, 'stranger');
    expect((await stranger.refusal('auth.org.invite.accept', { token })).code).to.equal('invite_wrong_account');
    const first = await bob.call('auth.org.invite.accept', { token });
    expect(first.role).to.equal('admin');
    expect(first.organization.memberCount).to.equal(2);
    expect(await bob.call('auth.org.invite.accept', { token }), 'a repeat answers the same').to.deep.equal(first);
    expect((await stranger.refusal('auth.org.invite.accept', { token })).code).to.equal('invite_accepted');
    const events = await eventsOf(platform, account.live, 'auth.org.');
    const types = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'auth.org.invited')).to.have.length(1);
    expect(types.filter((type) => type === 'auth.org.joined')).to.have.length(1);
    expect(
      await searchDatabase(platform.running.services.database, token),
      'the token is stored nowhere',
    ).to.deep.equal([]);
    // Somebody who was removed does not come back with the old link.
    await owner.call('auth.org.member.remove', { organizationId, userId: bob.userId });
    expect((await bob.refusal('auth.org.invite.accept', { token })).code).to.equal('invite_accepted');
    expect(await eventsOf(platform, account.live, 'auth.org.member_removed')).to.have.length(1);
  });

  it('are sent again with the same link while open, and with a new one after seven days', async () => {
    const { account, owner, organizationId, describe } = await team();
    const input = { organizationId, email: 'bob@example.com' };
    const first = await invited(platform, owner, input);
    platform.clock.advance(days(6));
    const renewed = await person(platform, account, 'owner');
    const again = await invited(platform, renewed, { ...input, role: 'admin' });
    expect(again).to.deep.equal(first);
    expect((await describe(first.token)).role).to.equal('admin');
    platform.clock.advance(days(7));
    const later = await person(platform, account, 'owner');
    expect((await later.call('auth.org.invite.list', { organizationId })).invites).to.deep.equal([]);
    const key = account.keys.live.publishable;
    const refused = await platform.api.refusal('auth.org.invite.describe', { token: first.token }, { key });
    expect(refused).to.include({ status: 410, code: 'invite_expired' });
    const bob = await person(platform, account, 'bob');
    expect((await bob.refusal('auth.org.invite.accept', { token: first.token })).code).to.equal('invite_expired');
    const fresh = await invited(platform, later, input);
    expect(fresh.inviteId).to.equal(first.inviteId);
    expect(fresh.token).not.to.equal(first.token);
    await bob.call('auth.org.invite.accept', { token: fresh.token });
  });

  it('of an owner restrict admins while they can be accepted, and no longer', async () => {
    const { account, owner, organizationId } = await team();
    const admin = await person(platform, account, 'admin');
    await join(platform, organizationId, admin, 'admin');
    const input = { organizationId, email: 'bob@example.com' };
    await invited(platform, owner, { ...input, role: 'owner' });
    platform.clock.advance(days(7) - 1);
    const early = await person(platform, account, 'admin');
    expect((await early.refusal('auth.org.invite.create', input)).code).to.equal('org_role_required');
    platform.clock.advance(1);
    const { token } = await invited(platform, early, input);
    const bob = await person(platform, account, 'bob');
    expect((await bob.call('auth.org.invite.accept', { token })).role).to.equal('member');
  });

  it('are deleted 90 days after they expired, unless they were accepted', async () => {
    const { account, owner, organizationId } = await team();
    const bob = await person(platform, account, 'bob');
    const { token } = await invited(platform, owner, { organizationId, email: bob.email });
    await bob.call('auth.org.invite.accept', { token });
    await invited(platform, owner, { organizationId, email: 'late@example.com' });
    const { inviteId } = await invited(platform, owner, { organizationId, email: 'withdrawn@example.com' });
    await owner.call('auth.org.invite.revoke', { organizationId, inviteId });
    const left = async (): Promise<number> => {
      for (const job of retentionJobs(platform.running.services)) await job.run();
      return platform.count('auth_org_invite', `organization_id = UNHEX('${organizationId.replaceAll('-', '')}')`);
    };
    platform.clock.advance(days(7 + 90));
    expect(await left()).to.equal(3);
    platform.clock.advance(1);
    expect(await left()).to.equal(1);
    const key = account.keys.live.publishable;
    expect((await platform.api.refusal('auth.org.invite.describe', { token }, { key })).code).to.equal(
      'invite_accepted',
    );
  });

  it('are withdrawn once; the link then answers invite_revoked', async () => {
    const { account, owner, organizationId } = await team();
    const { token, inviteId } = await invited(platform, owner, { organizationId, email: 'bob@example.com' });
    const first = await owner.call('auth.org.invite.revoke', { organizationId, inviteId });
    expect(await owner.call('auth.org.invite.revoke', { organizationId, inviteId })).to.deep.equal(first);
    expect(await eventsOf(platform, account.live, 'auth.org.invite_revoked')).to.have.length(1);
    const bob = await person(platform, account, 'bob');
    expect((await bob.refusal('auth.org.invite.accept', { token })).code).to.equal('invite_revoked');
    const key = account.keys.live.publishable;
    const described = async (shown: string): Promise<string> =>
      (await platform.api.refusal('auth.org.invite.describe', { token: shown }, { key })).code;
    expect(await described(token)).to.equal('invite_revoked');
    const other = await invited(platform, owner, { organizationId, email: 'bob@example.com' });
    await bob.call('auth.org.invite.accept', { token: other.token });
    expect(await described(other.token)).to.equal('invite_accepted');
    for (const unknown of [`svc_oi_${'x'.repeat(43)}`, 'no token in form']) {
      expect(await described(unknown)).to.equal('not_found');
      expect((await bob.refusal('auth.org.invite.accept', { token: unknown })).code).to.equal('not_found');
    }
    const accepted = await owner.refusal('auth.org.invite.revoke', { organizationId, inviteId: other.inviteId });
    expect(accepted.code).to.equal('invite_accepted');
    expect((await owner.refusal('auth.org.invite.create', { organizationId, email: bob.email })).code).to.equal(
      'org_member_exists',
    );
  });

  it('are accepted once under concurrent calls', async () => {
    const { account, owner, organizationId } = await team();
    const { token } = await invited(platform, owner, { organizationId, email: 'bob@example.com' });
    const bob = await person(platform, account, 'bob');
    await Promise.all(Array.from({ length: 8 }, () => bob.call('auth.org.invite.accept', { token })));
    expect(await eventsOf(platform, account.live, 'auth.org.joined')).to.have.length(1);
    expect((await bob.call('auth.org.get', { organizationId })).organization.memberCount).to.equal(2);
  });

  it('return only to allowed addresses, and are fifty an hour per organization', async () => {
    const { account, owner, organizationId } = await team();
    const redirectTo = 'https://app.example.com/welcome';
    const invite = { organizationId, email: 'bob@example.com', redirectTo };
    expect((await owner.refusal('auth.org.invite.create', invite)).code).to.equal('redirect_not_allowed');
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    await owner.call('auth.org.invite.create', invite);
    const outsider = await person(platform, account, 'outsider');
    for (let count = 1; count < 50; count += 1)
      await owner.call('auth.org.invite.create', { organizationId, email: `p${count}@example.com` });
    // Calls that are refused do not count: nobody else uses the limit up.
    expect(
      (await outsider.refusal('auth.org.invite.create', { organizationId, email: 'x@example.com' })).code,
    ).to.equal('not_found');
    expect((await owner.refusal('auth.org.invite.create', { organizationId, email: 'p50@example.com' })).code).to.equal(
      'rate_limited',
    );
    platform.clock.advance(hours(1));
    const later = await person(platform, account, 'owner');
    await later.call('auth.org.invite.create', { organizationId, email: 'p50@example.com' });
  });

  it('are three a day per address and organization, and ten from all organizations', async () => {
    const { account, owner, organizationId } = await team();
    const email = 'often@example.com';
    const invite = async (by: Person, id: string, spelling = email): Promise<string> => {
      const input = JSON.stringify({ accessToken: by.accessToken, organizationId: id, email: spelling });
      const options = { key: account.keys.live.publishable };
      const answer = await platform.api.raw('/auth/org/invite/create', input, options);
      return answer.status === 200 ? 'sent' : (/"code":"(\w+)"/.exec(answer.text)?.[1] ?? answer.text);
    };
    for (let count = 0; count < 3; count += 1) expect(await invite(owner, organizationId)).to.equal('sent');
    for (const spelling of ['OFTEN@example.com', 'often+2@example.com'])
      expect(await invite(owner, organizationId, spelling)).to.equal('rate_limited');
    const answers: string[] = [];
    for (const name of ['Second', 'Third', 'Fourth']) {
      const { id } = await organizationOf(owner, name);
      for (let count = 0; count < 3; count += 1) answers.push(await invite(owner, id));
    }
    expect(answers).to.deep.equal([...Array.from({ length: 7 }, () => 'sent'), 'rate_limited', 'rate_limited']);
    expect(await invite(owner, organizationId, 'seldom@example.com')).to.equal('sent');
    platform.clock.advance(days(1));
    expect(await invite(await person(platform, account, 'owner'), organizationId)).to.equal('sent');
  });

  it('are not sent once the budget of system mail is used up, nor while the account is closed', async () => {
    const { account, owner, organizationId } = await team();
    const invite = { organizationId, email: 'bob@example.com' };
    await owner.call('auth.org.invite.create', invite);
    await platform.running.services.database.run(
      `UPDATE svc_limit SET hits = 500 WHERE id = UNHEX(SHA2('invitation mail|per hour|${account.live.id}', 256))`,
    );
    const other = { organizationId, email: 'carol@example.com' };
    const limited = await owner.refusal('auth.org.invite.create', other);
    expect(limited).to.include({ status: 429, code: 'auth_send_limited' });
    expect(limited.fix).to.contain('3600 seconds');
    expect((await owner.call('auth.org.invite.list', { organizationId })).invites).to.have.length(1);
    await account.svc.call('account.close', { reason: 'Over.' });
    const closed = await owner.refusal('auth.org.invite.create', other);
    expect(closed).to.include({ status: 403, code: 'account_closed' });
    expect(closed.fix).to.contain('account.reopen');
  });

  it('make members who may leave again', async () => {
    const { account, owner, organizationId } = await team();
    const { token } = await invited(platform, owner, { organizationId, email: 'bob@example.com' });
    const bob = await person(platform, account, 'bob');
    await bob.call('auth.org.invite.accept', { token });
    await bob.call('auth.org.leave', { organizationId });
    expect(await eventsOf(platform, account.live, 'auth.org.left')).to.have.length(1);
    expect((await owner.call('auth.org.get', { organizationId })).organization.memberCount).to.equal(1);
  });
});
