import { expect } from 'chai';
import { eventsOf } from '#test/audience/support.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { mfaTokenOf, publishableApi, userWithTotp } from './support.js';

describe('auth.factor.recovery.regenerate', () => {
  const platform = usePlatform();

  it('makes ten new codes; the old ones stop', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, recoveryCodes: old } = await userWithTotp(platform, account);
    const { accessToken, userId } = user;
    const { recoveryCodes } = await api.call('auth.factor.recovery.regenerate', { accessToken });
    expect(new Set([...recoveryCodes, ...old])).to.have.property('size', 20);
    expect((await api.call('auth.factor.list', { accessToken })).recoveryCodesLeft).to.equal(10);
    const mfaToken = await mfaTokenOf(platform, account.live, userId);
    expect(await api.refusal('auth.mfa.recover', { mfaToken, recoveryCode: old[0] ?? '' })).to.include({
      code: 'wrong_code',
    });
    await api.call('auth.mfa.recover', { mfaToken, recoveryCode: recoveryCodes[0] ?? '' });
    const [event] = await eventsOf(platform, account.live, 'auth.factor.recovery_regenerated');
    expect(event?.data).to.deep.equal({ userId });
  });

  it('needs an active factor, a session with a second factor and a recent sign-in', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const refused = async (accessToken: string): Promise<string> =>
      (await api.refusal('auth.factor.recovery.regenerate', { accessToken })).code;
    const withPasskey = await signedIn(platform, account.live, { methods: ['passkey'], mfa: true });
    expect(await refused(withPasskey.accessToken)).to.equal('factor_not_active');
    const { user } = await userWithTotp(platform, account, 'bob@example.com');
    const oneFactor = await signedIn(platform, account.live, { email: 'bob@example.com' });
    expect(await refused(oneFactor.accessToken)).to.equal('mfa_required');
    platform.clock.advance(minutes(10));
    expect(await refused(user.accessToken)).to.equal('reauth_required');
  });
});
