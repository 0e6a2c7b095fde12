import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { idBytes } from '#core/runtime/id.js';
import { eventsOf } from '#test/audience/support.js';
import { publishableApi, userWithTotp } from '#test/auth/factor/support.js';
import { signedIn } from '#test/auth/support.js';
import { softwareAuthenticator, type Forgery } from '#test/support/authenticator.js';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { pagesOrigin, registerPasskey, userWithPasskey } from './support.js';

const forgeries: readonly [string, Forgery, RegExp][] = [
  ['of a page of another origin', { origin: 'https://evil.example' }, /origin/],
  ['for another relying party', { rpId: 'evil.example' }, /RP ID/],
  ['to another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }, /challenge/],
  ['of a sign-in', { type: 'webauthn.get' }, /type/],
];

describe('Adding a passkey', () => {
  const platform = usePlatform();

  async function started(email = 'ada@example.com') {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const user = await signedIn(platform, account.live, { email });
    const { challengeId, options } = await api.call('auth.passkey.register.start', { accessToken: user.accessToken });
    const authenticator = softwareAuthenticator(pagesOrigin(platform));
    return { account, api, user, challengeId, options, authenticator };
  }

  for (const [what, top, inner] of [
    [
      'null for members that may be absent',
      { clientExtensionResults: null, authenticatorAttachment: null },
      {
        transports: null,
        publicKeyAlgorithm: null,
        publicKey: null,
        authenticatorData: null,
      },
    ],
    ['members of newer browsers', { newMember: { deep: [1] } }, { newMember: 'x' }],
  ] as const)
    it(`takes what password managers put into toJSON(): ${what}`, async () => {
      const { api, user, challengeId, options, authenticator } = await started();
      const made = authenticator.create(options);
      const response = { ...made, ...top, response: { ...made.response, ...inner } };
      const { accessToken } = user;
      await api.call('auth.passkey.register.verify', { accessToken, challengeId, response });
      const begun = await api.call('auth.passkey.signin.start', {});
      const signed = authenticator.get(begun.options);
      const answer = { ...signed, ...top, response: { ...signed.response, ...inner, attestationObject: null } };
      const { authenticatorData } = signed.response;
      const sent = { ...answer, response: { ...answer.response, authenticatorData } };
      const input = { challengeId: begun.challengeId, response: sent };
      expect((await api.call('auth.passkey.signin.verify', input)).status).to.equal('complete');
    });

  it('asks for a discoverable credential whose user handle is the user’s id', async () => {
    const { options, user } = await started();
    expect(options).to.deep.include({ attestation: 'none', excludeCredentials: [], timeout: 300_000 });
    expect(options.user).to.deep.equal({
      id: idBytes(user.userId).toString('base64url'),
      name: 'ada@example.com',
      displayName: 'ada@example.com',
    });
    expect(options.authenticatorSelection).to.include({ residentKey: 'required', userVerification: 'preferred' });
    expect(options.rp.id).to.equal('localhost');
    expect(Buffer.from(options.challenge, 'base64url')).to.have.length(32);
  });

  it('adds it, lists it, reports it, and excludes it from then on', async () => {
    const { account, api, user, challengeId, options, authenticator } = await started();
    const { accessToken, userId } = user;
    const response = authenticator.create(options);
    const { passkey } = await api.call('auth.passkey.register.verify', {
      accessToken,
      challengeId,
      response,
      name: 'Key',
    });
    expect(passkey).to.deep.include({
      name: 'Key',
      transports: ['internal', 'hybrid'],
      backedUp: true,
      lastUsedAt: null,
    });
    expect(passkey.credentialId).to.equal(response.id);
    expect((await api.call('auth.passkey.list', { accessToken })).passkeys).to.deep.equal([passkey]);
    const [event] = await eventsOf(platform, account.live, 'auth.passkey.added');
    expect(event).to.deep.include({ personId: userId, data: { userId, passkey } });
    const again = await api.call('auth.passkey.register.start', { accessToken });
    expect(again.options.excludeCredentials).to.deep.equal([
      { id: passkey.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] },
    ]);
  });

  it('names it after the password manager, else after the browser and system, if it has no name', async () => {
    const { account, api, user, challengeId, options, authenticator } = await started();
    const { accessToken } = user;
    const bitwarden = Buffer.from('d548826e79b4db40a3d811116f7e8349', 'hex');
    const response = authenticator.create(options, { aaguid: bitwarden });
    const named = await api.call('auth.passkey.register.verify', { accessToken, challengeId, response });
    expect(named.passkey.name).to.equal('Bitwarden');
    const second = await api.call('auth.passkey.register.start', { accessToken });
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const other = await api.call(
      'auth.passkey.register.verify',
      { accessToken, challengeId: second.challengeId, response: authenticator.create(second.options) },
      { headers: { 'User-Agent': agent } },
    );
    expect(other.passkey.name).to.equal('Firefox 140 · Linux');
    const third = await api.call('auth.passkey.register.start', { accessToken });
    await account.svc.call('account.project.update', { projectId: account.projectId, locale: 'fr' });
    const unknown = await api.call(
      'auth.passkey.register.verify',
      { accessToken, challengeId: third.challengeId, response: authenticator.create(third.options) },
      { headers: { 'User-Agent': '' } },
    );
    expect(unknown.passkey.name, 'in the user’s language, else the project’s').to.equal('Clé d’accès');
  });

  for (const [what, forgery, problem] of forgeries)
    it(`rejects an answer ${what}, and uses the challenge up`, async () => {
      const { api, user, challengeId, options, authenticator } = await started();
      const { accessToken } = user;
      const input = { accessToken, challengeId, response: authenticator.create(options, forgery) };
      const refused = await api.refusal('auth.passkey.register.verify', input);
      expect(refused).to.include({ status: 400, code: 'passkey_rejected' });
      expect(refused.message).to.match(problem);
      const good = { ...input, response: authenticator.create(options) };
      expect(await api.refusal('auth.passkey.register.verify', good)).to.include({
        status: 409,
        code: 'challenge_used',
      });
      expect(await platform.count('auth_passkey', `user_id = 0x${idBytes(user.userId).toString('hex')}`)).to.equal(0);
    });

  it('takes answers from pages of redirectUrls and of passkeys.rpId, as the settings say now', async () => {
    const { account, api, user } = await started();
    await account.svc.call('auth.settings.set', {
      passkeys: { rpId: 'example.com' },
      redirectUrls: ['https://app.example.com/after-sign-in'],
    });
    const { accessToken } = user;
    const { challengeId, options } = await api.call('auth.passkey.register.start', { accessToken });
    expect(options.rp.id).to.equal('example.com');
    const response = softwareAuthenticator('https://app.example.com').create(options);
    await api.call('auth.passkey.register.verify', { accessToken, challengeId, response });
  });

  it('answers passkey_exists for a credential that somebody registered, also at the same time', async () => {
    const { account, api, user, challengeId, options, authenticator } = await started();
    const credentialId = randomBytes(32);
    const bob = await signedIn(platform, account.live, { email: 'bob@example.com' });
    const his = await api.call('auth.passkey.register.start', { accessToken: bob.accessToken });
    const calls = [
      { accessToken: user.accessToken, challengeId, response: authenticator.create(options, { credentialId }) },
      {
        accessToken: bob.accessToken,
        challengeId: his.challengeId,
        response: authenticator.create(his.options, { credentialId }),
      },
    ];
    const answers = await Promise.all(
      calls.map((input) => api.raw('/auth/passkey/register/verify', JSON.stringify(input))),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect(answers.map(({ text }) => text).join()).to.include('"code":"passkey_exists"');
  });

  it('takes a challenge once, within five minutes, and from its own user alone', async () => {
    const { account, api, user, challengeId, options, authenticator } = await started();
    const bob = await signedIn(platform, account.live, { email: 'bob@example.com' });
    const response = authenticator.create(options);
    const input = { accessToken: user.accessToken, challengeId, response };
    expect(await api.refusal('auth.passkey.register.verify', { ...input, accessToken: bob.accessToken })).to.include({
      status: 404,
      code: 'not_found',
    });
    const signIn = await api.call('auth.passkey.signin.start', {});
    expect(await api.refusal('auth.passkey.register.verify', { ...input, challengeId: signIn.challengeId })).to.include(
      { status: 404, code: 'not_found' },
    );
    platform.clock.advance(minutes(5));
    expect(await api.refusal('auth.passkey.register.verify', input)).to.include({
      status: 410,
      code: 'challenge_expired',
    });
  });

  it('needs a recent sign-in and an enabled method', async () => {
    const { account, api, user } = await started();
    const { accessToken } = user;
    await account.svc.call('auth.settings.set', { methods: { passkey: { enabled: false } } });
    expect(await api.refusal('auth.passkey.register.start', { accessToken })).to.include({ code: 'method_disabled' });
    platform.clock.advance(minutes(10));
    expect(await api.refusal('auth.passkey.register.start', { accessToken })).to.include({ code: 'reauth_required' });
  });

  it('needs a session with a second factor where the user has one: a passkey would pass both steps', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user } = await userWithTotp(platform, account);
    const { accessToken } = await signedIn(platform, account.live);
    expect(await api.refusal('auth.passkey.register.start', { accessToken })).to.include({ code: 'mfa_required' });
    await registerPasskey(api, softwareAuthenticator(pagesOrigin(platform)), user.accessToken);
  });

  it('needs it also where the factor was activated after the start, as by a user who notices a stranger’s session', async () => {
    const { account, api, user: stranger, challengeId, options, authenticator } = await started();
    const { user: owner } = await userWithTotp(platform, account);
    expect(owner.userId).to.equal(stranger.userId);
    const response = authenticator.create(options);
    const { accessToken } = stranger;
    const input = { accessToken, challengeId, response };
    expect(await api.refusal('auth.passkey.register.verify', input)).to.include({ status: 403, code: 'mfa_required' });
    expect((await api.call('auth.passkey.list', { accessToken: owner.accessToken })).passkeys).to.deep.equal([]);
    // The user's own session has passed both steps, and goes on with what it started.
    await api.call('auth.passkey.register.verify', { ...input, accessToken: owner.accessToken });
  });

  it('is limited to ten an hour per user', async () => {
    const { api, user } = await started();
    const { accessToken } = user;
    for (let n = 0; n < 9; n += 1) await api.call('auth.passkey.register.start', { accessToken });
    expect(await api.refusal('auth.passkey.register.start', { accessToken })).to.include({ code: 'rate_limited' });
    platform.clock.advance(hours(1));
  });

  it('keeps counters of 32 bits', async () => {
    const { api, user, challengeId, options, authenticator } = await started();
    const response = authenticator.create(options, { signCount: 4_294_967_294 });
    await api.call('auth.passkey.register.verify', { accessToken: user.accessToken, challengeId, response });
    const { options: asked, challengeId: signIn } = await api.call('auth.passkey.signin.start', {});
    const answer = authenticator.get(asked, { signCount: 4_294_967_295 });
    expect((await api.call('auth.passkey.signin.verify', { challengeId: signIn, response: answer })).status).to.equal(
      'complete',
    );
  });
});

describe('auth.passkey.remove', () => {
  const platform = usePlatform();

  itNeeding('email')('removes a passkey, which signs nobody in from then on', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, passkey, authenticator } = await userWithPasskey(platform, account);
    const { accessToken, userId } = user;
    expect((await api.call('auth.passkey.remove', { accessToken, passkeyId: passkey.id })).passkey).to.deep.equal(
      passkey,
    );
    expect((await api.call('auth.passkey.list', { accessToken })).passkeys).to.deep.equal([]);
    const [event] = await eventsOf(platform, account.live, 'auth.passkey.removed');
    expect(event?.data).to.deep.equal({ userId, passkey });
    const { challengeId, options } = await api.call('auth.passkey.signin.start', {});
    const input = { challengeId, response: authenticator.get(options) };
    expect(await api.refusal('auth.passkey.signin.verify', input)).to.include({ code: 'passkey_rejected' });
  });

  itNeeding('email')('keeps the user’s last way to sign in', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, passkey } = await userWithPasskey(platform, account);
    const input = { accessToken: user.accessToken, passkeyId: passkey.id };
    await account.svc.call('auth.settings.set', { methods: { code: { enabled: false }, link: { enabled: false } } });
    const { status, text } = await api.raw('/auth/passkey/remove', JSON.stringify(input));
    expect([status, /"code":"(\w+)"/.exec(text)?.[1]]).to.deep.equal([400, 'no_usable_signin_method']);
    expect((await api.call('auth.passkey.list', { accessToken: user.accessToken })).passkeys).to.have.length(1);
    await account.svc.call('auth.settings.set', { methods: { code: { enabled: true } } });
    await api.call('auth.passkey.remove', input);
  });

  it('keeps one of two under a race', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { user, passkey, authenticator } = await userWithPasskey(platform, account);
    const { accessToken } = user;
    const second = await registerPasskey(api, authenticator, accessToken);
    await account.svc.call('auth.settings.set', { methods: { code: { enabled: false }, link: { enabled: false } } });
    const answers = await Promise.all(
      [passkey, second].map(({ id }) =>
        api.raw('/auth/passkey/remove', JSON.stringify({ accessToken, passkeyId: id })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
  });

  it('needs a recent sign-in, and answers not_found for the passkey of another user', async () => {
    const account = await platform.account();
    const api = publishableApi(platform, account);
    const { passkey } = await userWithPasskey(platform, account);
    const bob = await userWithPasskey(platform, account, 'bob@example.com');
    const input = { accessToken: bob.user.accessToken, passkeyId: passkey.id };
    expect(await api.refusal('auth.passkey.remove', input)).to.include({ status: 404, code: 'not_found' });
    platform.clock.advance(minutes(10));
    expect(await api.refusal('auth.passkey.remove', input)).to.include({ code: 'reauth_required' });
  });
});
