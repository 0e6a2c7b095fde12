import { expect } from 'chai';
import { randomToken } from '#core/runtime/secrets/digest.js';
import { days, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { addMember } from '../support.js';

describe('account.invite.describe', () => {
  const platform = usePlatform();
  const newToken = (): string => `svc_iv_${randomToken(43)}`;
  // All calls come from one address, so each test starts with a new count.
  beforeEach(() => platform.clock.advance(minutes(10)));

  it('shows what a token is for, any number of times', async () => {
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
      permissions: null,
      invitedBy: 'owner@example.com',
      expiresAt: invited.inviteExpiresAt?.toISOString(),
    });
    expect(await platform.api.call('account.invite.describe', { token })).to.deep.equal(result);
    expect(await platform.count('account_member', "status = 'invited' AND email_key = 'ada@example.com'")).to.equal(1);
  });

  it('answers not_found for an unknown token, and refuses an invalid one', async () => {
    const unknown = await platform.api.refusal('account.invite.describe', { token: newToken() });
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    for (const token of ['svc_iv_short', `svc_iv_${'-'.repeat(43)}`, `${newToken()}x`]) {
      const refused = await platform.api.refusal('account.invite.describe', { token });
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field: 'token' });
    }
  });

  it('answers invite_expired from the exact time of expiry', async () => {
    const token = newToken();
    await addMember(platform, await platform.account(), { role: 'viewer', status: 'invited', token });
    platform.clock.advance(days(7) - 1);
    await platform.api.call('account.invite.describe', { token });
    platform.clock.advance(1);
    const refused = await platform.api.refusal('account.invite.describe', { token });
    expect(refused).to.include({ status: 410, code: 'invite_expired' });
  });

  it('answers invite_revoked for a withdrawn invitation', async () => {
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

  it('answers invite_accepted for an accepted invitation', async () => {
    const token = newToken();
    await addMember(platform, await platform.account(), { role: 'viewer', token });
    expect(await platform.api.refusal('account.invite.describe', { token })).to.include({
      status: 409,
      code: 'invite_accepted',
    });
  });

  it('accepts 20 calls in 10 minutes from one IP address, and says how long to wait', async () => {
    const token = newToken();
    for (let n = 0; n < 20; n += 1) await platform.api.refusal('account.invite.describe', { token });
    platform.clock.advance(minutes(4));
    const refused = await platform.api.refusal('account.invite.describe', { token });
    expect(refused).to.include({ status: 429, code: 'rate_limited' });
    expect(refused.message).to.contain('20 per IP address in 10 minutes, shared with accepting invitations');
    expect(refused.fix).to.contain('360 seconds');
    expect(refused.headers.get('retry-after')).to.equal(null);
    platform.clock.advance(minutes(6));
    expect(await platform.api.refusal('account.invite.describe', { token })).to.include({ code: 'not_found' });
  });
});
