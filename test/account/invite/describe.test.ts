import { expect } from 'chai';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { addMember } from '../support.js';

describe('account.invite.describe', () => {
  const platform = usePlatform();
  const newToken = (): string => `svc_iv_${randomToken(43)}`;
  // Every call here comes from one address: each test begins with a fresh count.
  beforeEach(() => platform.clock.advance(minutes(10)));

  it('shows what a token is for to anybody who has it, as often as they look', async () => {
    const account = await platform.account();
    const token = newToken();
    const invited = await addMember(platform, account, {
      role: 'viewer',
      status: 'invited',
      email: 'Ada@example.com',
      token,
    });
    const { activityId, result } = await platform.api.envelope('account.invite.describe', { token });
    expect(activityId).to.equal('');
    expect(result).to.deep.equal({
      accountName: 'Acme',
      email: 'Ada@example.com',
      role: 'viewer',
      invitedBy: 'owner@example.com',
      expiresAt: invited.inviteExpiresAt?.toISOString(),
    });
    expect(await platform.api.call('account.invite.describe', { token })).to.deep.equal(result);
    expect(await platform.count('account_member', "status = 'invited' AND email_key = 'ada@example.com'")).to.equal(1);
  });

  it('does not know a token that nobody made, and refuses what is none', async () => {
    const unknown = await platform.api.refusal('account.invite.describe', { token: newToken() });
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    for (const token of ['svc_iv_short', `svc_iv_${'-'.repeat(43)}`, `${newToken()}x`]) {
      const refused = await platform.api.refusal('account.invite.describe', { token });
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'token' });
    }
  });

  it('says that the invitation has expired, from the very moment on', async () => {
    const token = newToken();
    await addMember(platform, await platform.account(), { role: 'viewer', status: 'invited', token });
    platform.clock.advance(days(7) - 1);
    await platform.api.call('account.invite.describe', { token });
    platform.clock.advance(1);
    const refused = await platform.api.refusal('account.invite.describe', { token });
    expect(refused).to.include({ status: 410, code: 'invite_expired' });
  });

  it('says that the invitation was withdrawn', async () => {
    const account = await platform.account();
    const token = newToken();
    const { id } = await addMember(platform, account, { role: 'viewer', status: 'invited', token });
    await account.svc.call('account.member.remove', { memberId: id });
    platform.clock.advance(days(8));
    expect(await platform.api.refusal('account.invite.describe', { token })).to.include({
      status: 410,
      code: 'invite_revoked',
    });
  });

  it('says that the invitation was accepted', async () => {
    const token = newToken();
    await addMember(platform, await platform.account(), { role: 'viewer', token });
    expect(await platform.api.refusal('account.invite.describe', { token })).to.include({
      status: 409,
      code: 'invite_accepted',
    });
  });

  it('lets one address ask 20 times in 10 minutes, and says how long to wait', async () => {
    const token = newToken();
    for (let n = 0; n < 20; n += 1) await platform.api.refusal('account.invite.describe', { token });
    platform.clock.advance(minutes(4));
    const refused = await platform.api.refusal('account.invite.describe', { token });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('20 per IP in 10 minutes, shared with account.member.accept');
    expect(refused.fix).to.contain('360 seconds');
    expect(refused.headers.get('retry-after')).to.equal(null);
    platform.clock.advance(minutes(6));
    expect(await platform.api.refusal('account.invite.describe', { token })).to.include({ code: 'not_found' });
  });
});
