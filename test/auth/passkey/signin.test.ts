import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { passkeys } from '#plugins/auth/tables/passkey.js';
import { users } from '#plugins/auth/tables/user.js';
import { concurrently, eventsOf } from '#test/audience/support.js';
import { publishableApi, userWithTotp } from '#test/auth/factor/support.js';
import { signedIn } from '#test/auth/support.js';
import { softwareAuthenticator, type Forgery } from '#test/support/authenticator.js';
import { minutes, seconds } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answerOf, pagesOrigin, registerPasskey, userWithPasskey } from './support.js';

const forgeries: readonly [string, Forgery, RegExp][] = [
  ['of a page of another origin', { origin: 'https://evil.example' }, /origin/],
  ['for another relying party', { rpId: 'evil.example' }, /RP ID/],
  ['to another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }, /challenge/],
  ['of a registration', { type: 'webauthn.create' }, /type/],
  ['with a signature that was tampered with', { tamperedSignature: true }, /signature is not valid/],
  ['with the user handle of somebody else', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }, /user handle/],
  ['without the user’s presence', { userPresent: false }, /present/],
];

const claimsOf = (accessToken: string | undefined): unknown =>
  JSON.parse(Buffer.from(accessToken?.split('.')[1] ?? '', 'base64url').toString());

describe('Signing in with a passkey', () => {
  const platform = usePlatform();

  async function ready() {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    return { account, api, ...(await userWithPasskey(platform, account)) };
  }

  it('answers the same options with an address as without one, whoever has it', async () => {
    const { account, api } = await ready();
    const asked = [{}, { email: 'ada@example.com' }, { email: 'nobody@example.com' }];
    const answers = await Promise.all(asked.map((input) => api.call('auth.passkey.signin.start', input)));
    for (const { options } of answers)
      expect({ ...options, challenge: '' }).to.deep.equal({
        challenge: '',
        timeout: 300_000,
        rpId: 'localhost',
        allowCredentials: [],
        userVerification: 'preferred',
      });
    expect(new Set(answers.map(({ options }) => options.challenge)).size).to.equal(3);
    const events = await eventsOf(platform, account.live, 'auth.signin.started');
    expect(events.map(({ data }) => data)).to.have.deep.members([
      { method: 'passkey', identityKind: null },
      { method: 'passkey', identityKind: 'email' },
      { method: 'passkey', identityKind: 'email' },
    ]);
  });

  it('takes the passkeys of an Android app whose origin is in redirectUrls, and of no other app', async () => {
    const { account, api, user } = await ready();
    const origin = `android:apk-key-hash:${Buffer.alloc(32, 7).toString('base64url')}`;
    const refusal = await account.svc.refusal('auth.settings.set', { redirectUrls: [`${origin}x`] });
    expect(refusal.code).to.equal('invalid_input');
    await account.svc.call('auth.settings.set', { redirectUrls: [origin] });
    const app = softwareAuthenticator(origin);
    await registerPasskey(api, app, user.accessToken);
    expect((await api.call('auth.passkey.signin.verify', await answerOf(api, app))).status).to.equal('complete');
    const other = await answerOf(api, app, { origin: origin.toLowerCase() });
    expect((await api.refusal('auth.passkey.signin.verify', other)).message).to.contain('origin');
    const returning = await api.refusal('auth.signin.start', { email: 'ada@example.com', redirectTo: origin });
    expect(returning.code).to.equal('redirect_not_allowed');
  });

  for (const [name, algorithm] of [
    ['RS256', -257],
    ['EdDSA', -8],
  ] as const)
    it(`takes keys of ${name}, and refuses signatures of them that were tampered with`, async () => {
      const account = await platform.account();
      const api = publishableApi(platform, account);
      const { accessToken, userId } = await signedIn(platform, account.live);
      const authenticator = softwareAuthenticator(pagesOrigin(platform), algorithm);
      await registerPasskey(api, authenticator, accessToken);
      const answer = await answerOf(api, authenticator);
      const { status, user } = await api.call('auth.passkey.signin.verify', answer);
      expect([status, user?.id]).to.deep.equal(['complete', userId]);
      const forged = await answerOf(api, authenticator, { tamperedSignature: true });
      const refused = await api.refusal('auth.passkey.signin.verify', forged);
      expect(refused).to.include({ code: 'passkey_rejected' });
    });

  it('signs in the user whose passkey it is; with user verification it counts as two factors', async () => {
    const { account, api, user, authenticator, passkey } = await ready();
    const answer = await answerOf(api, authenticator);
    const { status, tokens, user: shown } = await api.call('auth.passkey.signin.verify', answer);
    expect([status, shown?.id]).to.deep.equal(['complete', user.userId]);
    expect(claimsOf(tokens?.accessToken)).to.deep.include({ amr: ['passkey'], mfa: true });
    const row = await platform.running.services.database.findOne(passkeys, { id: passkey.id });
    expect(row?.lastUsedAt).to.deep.equal(platform.clock.now());
    expect(await eventsOf(platform, account.live, 'auth.signin.completed')).to.have.length(1);
  });

  it('without user verification counts as one factor, and asks for the second where the user has one', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const plain = await userWithPasskey(platform, account);
    const one = await api.call(
      'auth.passkey.signin.verify',
      await answerOf(api, plain.authenticator, { userVerified: false }),
    );
    expect(claimsOf(one.tokens?.accessToken)).to.deep.include({ amr: ['passkey'], mfa: false });

    const bob = await userWithTotp(platform, account, 'bob@example.com');
    const authenticator = softwareAuthenticator(pagesOrigin(platform));
    await registerPasskey(api, authenticator, bob.user.accessToken);
    const verified = await api.call('auth.passkey.signin.verify', await answerOf(api, authenticator));
    expect(claimsOf(verified.tokens?.accessToken)).to.deep.include({ amr: ['passkey'], mfa: true });
    const answer = await answerOf(api, authenticator, { userVerified: false });
    const asked = await api.call('auth.passkey.signin.verify', answer);
    expect(asked).to.include({ status: 'mfa_required', tokens: null, user: null });
    platform.clock.advance(seconds(30));
    const { tokens } = await api.call('auth.mfa.verify', { mfaToken: asked.mfa?.mfaToken ?? '', code: bob.app.code() });
    expect(claimsOf(tokens?.accessToken)).to.deep.include({ amr: ['passkey', 'totp'], mfa: true });
  });

  for (const [what, forgery, problem] of forgeries)
    it(`rejects an answer ${what}, reports it, and uses the challenge up`, async () => {
      const { account, api, authenticator } = await ready();
      const { challengeId, options } = await api.call('auth.passkey.signin.start', {});
      const refused = await api.refusal('auth.passkey.signin.verify', {
        challengeId,
        response: authenticator.get(options, forgery),
      });
      expect(refused).to.include({ status: 400, code: 'passkey_rejected' });
      expect(refused.message).to.match(problem);
      const [failed] = await eventsOf(platform, account.live, 'auth.signin.failed');
      expect(failed?.data).to.include({ method: 'passkey', reason: 'passkey_rejected' });
      const good = { challengeId, response: authenticator.get(options) };
      expect(await api.refusal('auth.passkey.signin.verify', good)).to.include({ status: 409, code: 'challenge_used' });
    });

  it('rejects a passkey that nobody registered, or that is of another environment', async () => {
    const { account, api, authenticator } = await ready();
    const stranger = softwareAuthenticator(pagesOrigin(platform));
    const { options } = await api.call('auth.passkey.register.start', {
      accessToken: (await userWithPasskey(platform, account, 'bob@example.com')).user.accessToken,
    });
    stranger.create(options);
    const refused = await api.refusal('auth.passkey.signin.verify', await answerOf(api, stranger));
    expect(refused).to.include({ code: 'passkey_rejected' });
    const test = publishableApi(platform, account, 'test');
    expect(await test.refusal('auth.passkey.signin.verify', await answerOf(test, authenticator))).to.include({
      code: 'passkey_rejected',
    });
  });

  describe('of an authenticator that counts its signatures', () => {
    const signIn = async (
      { api, authenticator }: Awaited<ReturnType<typeof ready>>,
      signCount: number,
    ): Promise<string> => {
      const input = await answerOf(api, authenticator, { signCount });
      const { status, text } = await api.raw('/auth/passkey/signin/verify', JSON.stringify(input));
      return status === 200 ? 'signed in' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
    };

    it('takes higher numbers, and rejects an equal or a lower one: the key may have been copied', async () => {
      const made = await ready();
      expect(await signIn(made, 5)).to.equal('signed in');
      expect(await signIn(made, 6)).to.equal('signed in');
      for (const signCount of [6, 5, 1, 0]) expect(await signIn(made, signCount)).to.equal('passkey_rejected');
      expect(await signIn(made, 7)).to.equal('signed in');
    });

    it('takes one of two answers with the same number that come at once', async () => {
      const made = await ready();
      expect(await signIn(made, 1)).to.equal('signed in');
      const answers = await concurrently(() => signIn(made, 2), 6);
      expect(answers.filter((answer) => answer === 'signed in')).to.have.length(1);
    });

    it('lets authenticators without a counter sign in again and again', async () => {
      const made = await ready();
      for (let n = 0; n < 3; n += 1) expect(await signIn(made, 0)).to.equal('signed in');
    });
  });

  it('takes a challenge once, also when the same answer comes twenty times at once', async () => {
    const { api, authenticator } = await ready();
    const body = JSON.stringify(await answerOf(api, authenticator));
    const answers = await concurrently(() => api.raw('/auth/passkey/signin/verify', body));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(answers.filter(({ text }) => text.includes('"code":"challenge_used"'))).to.have.length(19);
  });

  it('takes a challenge within five minutes, and of its own environment', async () => {
    const { account, api, authenticator } = await ready();
    const input = await answerOf(api, authenticator);
    const { publishable } = account.keys.test;
    expect(await api.refusal('auth.passkey.signin.verify', input, { key: publishable })).to.include({
      code: 'not_found',
    });
    expect(await api.refusal('auth.passkey.signin.verify', { ...input, challengeId: newId() })).to.include({
      code: 'not_found',
    });
    platform.clock.advance(minutes(5));
    expect(await api.refusal('auth.passkey.signin.verify', input)).to.include({
      status: 410,
      code: 'challenge_expired',
    });
  });

  it('refuses a banned user, once the passkey has proven who it is', async () => {
    const { api, authenticator, user } = await ready();
    const { database } = platform.running.services;
    await database.update(users, { id: user.userId }, { bannedAt: platform.clock.now() });
    const wrong = await answerOf(api, authenticator, { tamperedSignature: true });
    expect(await api.refusal('auth.passkey.signin.verify', wrong)).to.include({ code: 'passkey_rejected' });
    const input = await answerOf(api, authenticator);
    const { status, text } = await api.raw('/auth/passkey/signin/verify', JSON.stringify(input));
    expect([status, /"code":"(\w+)"/.exec(text)?.[1]]).to.deep.equal([403, 'user_banned']);
  });

  it('returns to an allowed address with a handoff code, and to no other', async () => {
    const { account, api, authenticator } = await ready();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const evil = { ...(await answerOf(api, authenticator)), handoff: true, redirectTo: 'https://evil.example/' };
    expect(await api.refusal('auth.passkey.signin.verify', evil)).to.include({
      status: 403,
      code: 'redirect_not_allowed',
    });
    // A refused address costs nothing: the challenge is still there.
    const good = { ...evil, redirectTo: 'https://app.example.com/in' };
    const answer = await api.call('auth.passkey.signin.verify', good);
    expect(answer).to.include({ status: 'handoff', tokens: null, user: null });
    expect(answer.redirectTo).to.match(/^https:\/\/app\.example\.com\/in\?svc_code=svc_hc_\w{43}$/);
    const nowhere = { ...(await answerOf(api, authenticator)), handoff: true };
    expect(await api.refusal('auth.passkey.signin.verify', nowhere)).to.include({ code: 'invalid_input' });
  });

  it('is refused while the method is turned off, and counts against the starts of the IP address', async () => {
    const { account, api } = await ready();
    await account.svc.call('auth.settings.set', { methods: { passkey: { enabled: false } } });
    expect(await api.refusal('auth.passkey.signin.start', {})).to.include({ status: 403, code: 'method_disabled' });
    await account.svc.call('auth.settings.set', {
      methods: { passkey: { enabled: true } },
      rateLimits: { startPerIp: { max: 2 } },
    });
    await api.call('auth.passkey.signin.start', {});
    expect(await api.refusal('auth.passkey.signin.start', {})).to.include({ status: 429, code: 'rate_limited' });
    expect(await api.refusal('auth.signin.start', { email: 'ada@example.com' })).to.include({ code: 'rate_limited' });
  });
});
