import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { dashboardSession, inEnvironment, withSession } from '#test/account/dashboard/support.js';
import { addMember } from '#test/account/support.js';
import { userWithTotp, publishableApi } from '#test/auth/factor/support.js';
import { accountWith, browserOf, useOidc } from '#test/auth/oauth/support.js';
import { answerOf, pagesOrigin, registerPasskey } from '#test/auth/passkey/support.js';
import { asApp, password, userWithPassword } from '#test/auth/password/support.js';
import { addedIdentity, signedIn, startedCode, startedLink } from '#test/auth/support.js';
import { auditOf } from '#test/developers/key/support.js';
import { softwareAuthenticator } from '#test/support/authenticator.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

const email = 'ada@example.com';
const other = 'ada@work.example';

describe('Sessions end with what opened them', () => {
  const platform = usePlatform();

  const isLive = async (account: TestAccount, accessToken: string | undefined): Promise<boolean> =>
    (await account.svc.call('auth.session.verify', { accessToken: accessToken ?? '' })).valid;

  it('with the password, except the session that removes it', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    await userWithPassword(platform, account.live);
    const signIn = async () => (await app.call('auth.password.signin', { email, password })).tokens;
    const [first, own] = [await signIn(), await signIn()];
    const byCode = await signedIn(platform, account.live);
    const { activityId } = await app.envelope('auth.password.remove', { accessToken: own?.accessToken ?? '' });
    expect(await isLive(account, first?.accessToken)).to.equal(false);
    const { code } = await app.refusal('auth.session.refresh', { refreshToken: first?.refreshToken ?? '' });
    expect(code).to.equal('session_revoked');
    expect(await isLive(account, own?.accessToken)).to.equal(true);
    expect(await isLive(account, byCode.accessToken)).to.equal(true);
    const ended = (await platform.events(account.live)).filter(({ type }) => type === 'auth.session.revoked');
    expect(ended).to.have.length(1);
    expect((await auditOf(platform, activityId)).changes).to.contain(`session ${ended[0]?.subjectId}`);
  });

  it('with the address whose code or link was used, and the devices that such a session approved', async () => {
    const account = await platform.account();
    const app = asApp(platform, account);
    const { userId, accessToken } = await signedIn(platform, account.live, { methods: ['password'] });
    const identityId = await addedIdentity(platform, account.live, userId, { email: other });
    const byCode = async (address: string) => {
      const challengeId = await startedCode(platform, account.live, { email: address });
      return (await app.call('auth.signin.verify', { challengeId, code: '271828' })).tokens?.accessToken ?? '';
    };
    const [kept, lost] = [await byCode(email), await byCode(other)];
    const token = await startedLink(platform, account.live, other);
    const byLink = (await app.call('auth.link.complete', { token })).tokens?.accessToken;
    const device = await app.call('auth.device.start', { clientName: 'TV' });
    await app.call('auth.device.approve', { accessToken: lost, userCode: device.userCode });
    const onDevice = (await app.call('auth.device.poll', { deviceCode: device.deviceCode })).tokens.accessToken;
    await app.call('auth.identity.remove', { accessToken, identityId });
    for (const each of [lost, byLink, onDevice]) expect(await isLive(account, each)).to.equal(false);
    expect(await isLive(account, kept)).to.equal(true);
  });

  it('with the passkey, and before the second step too', async () => {
    const account = await platform.account();
    const app = publishableApi(platform, account);
    const { user } = await userWithTotp(platform, account);
    const authenticator = softwareAuthenticator(pagesOrigin(platform));
    await registerPasskey(app, authenticator, user.accessToken);
    const answered = await app.call(
      'auth.passkey.signin.verify',
      await answerOf(app, authenticator, { userVerified: true }),
    );
    const waiting = await app.call(
      'auth.passkey.signin.verify',
      await answerOf(app, authenticator, { userVerified: false }),
    );
    const { passkeys } = await app.call('auth.passkey.list', { accessToken: user.accessToken });
    const passkeyId = passkeys[0]?.id ?? '';
    await app.call('auth.passkey.remove', { accessToken: user.accessToken, passkeyId });
    expect(await isLive(account, answered.tokens?.accessToken)).to.equal(false);
    const mfaToken = waiting.mfa?.mfaToken ?? '';
    expect((await app.refusal('auth.mfa.verify', { mfaToken, code: '000000' })).code).to.equal('mfa_token_invalid');
    expect(await isLive(account, user.accessToken)).to.equal(true);
  });
});

describe('Sessions end with the provider’s account that opened them', () => {
  const env = useOidc();

  it('when it is removed from the user', async () => {
    const { platform, oidc } = env;
    oidc.person = { sub: 'ada', claims: { email, email_verified: true } };
    const account = await accountWith(platform, oidc);
    const app = publishableApi(platform, account, 'test');
    const provided = (await browserOf(platform, account).signIn()).tokens?.accessToken ?? '';
    const { accessToken } = await signedIn(platform, account.test);
    const { identities } = await app.call('auth.me.get', { accessToken });
    const identityId = identities.find(({ kind }) => kind === 'oauth')?.id ?? '';
    await app.call('auth.identity.remove', { accessToken, identityId });
    const checked = await account.svcTest.call('auth.session.verify', { accessToken: provided });
    expect(checked.reason).to.equal('session_ended');
  });
});

describe('Impersonated sessions end with the power of whoever opened them', () => {
  const platform = usePlatform();
  const reason = 'Ticket 1815: the invoice page is empty.';

  async function impersonated() {
    const account = await platform.account();
    const { svc, live, keys } = account;
    const { userId } = await signedIn(platform, live);
    const { key, plaintext } = await svc.call('developers.key.create', {
      name: 'Support',
      permissions: ['auth:write'],
    });
    const open = async () => {
      const { tokens } = await svc.call('auth.user.impersonate', { userId, reason }, { key: plaintext });
      return tokens.accessToken;
    };
    const asUser = (accessToken: string) =>
      svc.raw('/auth/me/get', JSON.stringify({ accessToken }), { key: keys.live.publishable });
    const reasonOf = async (accessToken: string) => (await svc.call('auth.session.verify', { accessToken })).reason;
    return { svc, keyId: key.id, open, asUser, reasonOf };
  }

  it('when their key is revoked', async () => {
    const { svc, keyId, open, asUser, reasonOf } = await impersonated();
    const accessToken = await open();
    expect(await reasonOf(accessToken)).to.equal(null);
    await svc.call('developers.key.revoke', { keyId });
    expect(await reasonOf(accessToken)).to.equal('session_ended');
    expect((await asUser(accessToken)).text).to.contain('token_invalid');
  });

  it('when their key may impersonate no more', async () => {
    const { svc, keyId, open, reasonOf } = await impersonated();
    const accessToken = await open();
    await svc.call('developers.key.update', { keyId, permissions: ['auth:read'] });
    expect(await reasonOf(accessToken)).to.equal('session_ended');
  });

  it('when the member who opened them at the dashboard may impersonate no more', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { userId } = await signedIn(platform, live);
    const address = 'support@example.com';
    await addMember(platform, account, { role: 'admin', email: address });
    const member = withSession(platform, await dashboardSession(platform, address));
    const input = { userId, reason };
    const { tokens } = await member.call('auth.user.impersonate', input, inEnvironment(live));
    const reasonOf = async () => (await svc.call('auth.session.verify', { accessToken: tokens.accessToken })).reason;
    expect(await reasonOf()).to.equal(null);
    const current = await member.call('developers.key.current', {}, inEnvironment(live));
    await svc.call('account.member.role.set', { memberId: current.member?.id ?? '', role: 'viewer' });
    expect(await reasonOf()).to.equal('session_ended');
  });

  for (const { what, lose } of [
    { what: 'leaves', lose: 'account.member.remove' },
    { what: 'may impersonate no more', lose: 'account.member.role.set' },
  ] as const)
    it(`when the member who made their key ${what}; that key opens no other`, async () => {
      const account = await platform.account();
      const { svc, live, keys } = account;
      const { userId } = await signedIn(platform, live);
      const address = 'support@example.com';
      await addMember(platform, account, { role: 'admin', email: address });
      const member = withSession(platform, await dashboardSession(platform, address));
      const made = { name: 'Support', permissions: ['auth:write'] };
      const { plaintext } = await member.call('developers.key.create', made, inEnvironment(live));
      const { tokens } = await svc.call('auth.user.impersonate', { userId, reason }, { key: plaintext });
      const { accessToken } = tokens;
      const memberId = (await member.call('developers.key.current', {}, inEnvironment(live))).member?.id ?? '';
      expect(decodeJwt(accessToken)).to.deep.include({ act: { sub: memberId } });
      expect((await svc.call('auth.session.verify', { accessToken })).reason).to.equal(null);
      if (lose === 'account.member.remove') await svc.call(lose, { memberId });
      else await svc.call(lose, { memberId, role: 'viewer' });
      expect((await svc.call('auth.session.verify', { accessToken })).reason).to.equal('session_ended');
      const asUser = { key: keys.live.publishable };
      expect((await svc.refusal('auth.me.get', { accessToken }, asUser)).code).to.equal('token_invalid');
      const refused = await svc.refusal('auth.user.impersonate', { userId, reason }, { key: plaintext });
      expect(refused).to.include({ status: 403, code: 'forbidden' });
      expect(refused.fix).to.contain('developers.key.rotate');
    });

  it('when the feature is turned off, for good', async () => {
    const { svc, open, asUser, reasonOf } = await impersonated();
    const accessToken = await open();
    await svc.call('auth.settings.set', { impersonation: { enabled: false } });
    expect(await reasonOf(accessToken)).to.equal('session_ended');
    expect((await asUser(accessToken)).text).to.contain('token_invalid');
    platform.clock.advance(1_000);
    await svc.call('auth.settings.set', { impersonation: { enabled: true } });
    expect(await reasonOf(accessToken), 'it does not come back').to.equal('session_ended');
    expect(await reasonOf(await open())).to.equal(null);
  });
});
