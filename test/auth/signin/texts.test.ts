import { expect } from 'chai';
import { idBytes } from '#core/runtime/id.js';
import { up as keepSignInByText } from '#migrations/auth/0250_sign_in_by_text.js';
import { from } from '#test/auth/sign-in-mail.js';
import { useSignInText } from '#test/auth/sign-in-text.js';
import { signedIn } from '#test/auth/support.js';
import { hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';

/** A number that no other test uses: block by block, as sign-in texts are limited. */
const made = { numbers: 0 };
const somebody = (): string => `+49151${String(20_000_000 + (made.numbers += 1) * 10_000 + 6_789)}`;

describe('Sign-in by text message', () => {
  const test = useSignInText({ SVC_TRUST_PROXY: '127.0.0.1' });
  const { platform } = test;

  it('is off until somebody turns it on', async () => {
    const account = await platform.account();
    const app = test.app(account);
    expect((await app.call('auth.signin.methods', {})).methods.sms).to.equal(false);
    const refused = await app.refusal('auth.signin.start', { phone: somebody() });
    expect(refused).to.include({ status: 403, code: 'method_disabled' });
    expect(refused.fix).to.contain('turn on sms with auth.settings.set');
    await account.svc.call('auth.settings.set', { methods: { sms: { enabled: true } } });
    expect((await app.call('auth.signin.methods', {})).methods.sms).to.equal(true);
  });

  it('stays on after an upgrade where users have numbers, and off where it was turned off', async () => {
    const [used, unused, off] = [await platform.account(), await platform.account(), await platform.account()];
    for (const account of [used, off]) await account.svc.call('auth.user.create', { phone: somebody() });
    const { database } = platform.running.services;
    await database.run(
      `INSERT INTO auth_settings (environment_id, changed, updated_at) VALUES (?, '{"methods": {"sms": {"enabled": false}}}', NOW(3))`,
      [idBytes(off.live.id)],
    );
    for (const statement of keepSignInByText) await database.run(statement);
    const isOn = async (account: TestAccount): Promise<boolean> =>
      (await test.app(account).call('auth.signin.methods', {})).methods.sms;
    expect([await isOn(used), await isOn(unused), await isOn(off)]).to.deep.equal([true, false, false]);
    // Other settings can be changed as before.
    await used.svc.call('auth.settings.set', { accessTokenSeconds: 600 });
    expect(await isOn(used)).to.equal(true);
  });

  it('sends a code to a number and signs its owner up, in their language', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    expect((await app.call('auth.signin.methods', {})).methods.sms).to.equal(true);
    const started = await app.call('auth.signin.start', { phone, locale: 'pt-BR' });
    expect(started).to.include({ method: 'code', sentTo: '+49•••789' });
    const [text] = await test.textsTo(phone);
    expect(text).to.contain('é o seu código');
    const { challengeId } = started;
    const { user } = await app.call('auth.signin.verify', { challengeId, code: await test.textedCode(phone) });
    expect(user).to.include({ phone, phoneVerified: true, email: null });
    const events = await platform.events(account.live);
    expect(events.find(({ type }) => type === 'auth.signin.started')?.data).to.deep.equal({
      method: 'sms',
      identityKind: 'phone',
    });
    expect(events.find(({ type }) => type === 'auth.signin.completed')?.data['session']).to.deep.include({
      methods: ['sms'],
    });
    const again = await app.call('auth.signin.start', { phone });
    const back = await app.call('auth.signin.verify', {
      challengeId: again.challengeId,
      code: await test.textedCode(phone, 2),
    });
    expect(back.user?.id, 'the same user, the next time').to.equal(user?.id);
  });

  it('keeps the code out of every reply, list and event', async () => {
    const account = await test.account();
    const phone = somebody();
    await test.app(account).call('auth.signin.start', { phone });
    const code = await test.textedCode(phone);
    await platform.settled();
    const { messages } = await account.svc.call('sms.message.list', { to: phone });
    expect(messages).to.have.length(1);
    expect(messages[0]).to.include({ system: true, body: null, template: 'auth.signin.code' });
    expect(JSON.stringify([messages, await platform.events(account.live)])).not.to.contain(code);
  });

  it('answers alike whether or not somebody has the number', async () => {
    const account = await test.account();
    const app = test.app(account);
    const [known, unknown] = [somebody(), somebody()];
    const first = await app.call('auth.signin.start', { phone: known });
    await app.call('auth.signin.verify', { challengeId: first.challengeId, code: await test.textedCode(known) });
    await account.svc.call('auth.settings.set', { signup: { allow: 'nobody' } });
    const shape = async (phone: string): Promise<object> => {
      const { challengeId, expiresAt, ...answer } = await app.call('auth.signin.start', { phone });
      expect(challengeId).to.match(/^[0-9a-f-]{36}$/);
      expect(expiresAt).to.match(/Z$/);
      return answer;
    };
    expect(await shape(unknown)).to.deep.equal(await shape(known));
    expect(await test.textsTo(unknown), 'both get a text').to.have.length(1);
    const wrong = async (phone: string): Promise<object> => {
      const { challengeId } = await app.call('auth.signin.start', { phone });
      const { code, message, status } = await app.refusal('auth.signin.verify', { challengeId, code: 'nothing' });
      return { code, message, status };
    };
    expect(await wrong(unknown)).to.deep.equal(await wrong(known));
  });

  it('refuses links, other countries, and texts that are off', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    expect((await app.refusal('auth.signin.start', { phone, method: 'link' })).code).to.equal('invalid_input');
    const abroad = await app.refusal('auth.signin.start', { phone: '+447400123456' });
    expect([abroad.status, abroad.code]).to.deep.equal([403, 'destination_not_allowed']);
    await account.svc.call('auth.settings.set', { methods: { sms: { enabled: false } } });
    expect((await app.refusal('auth.signin.start', { phone })).code).to.equal('method_disabled');
    expect((await app.call('auth.signin.methods', {})).methods.sms).to.equal(false);
  });

  it('sends 20 texts an hour to numbers that begin alike, whoever asks', async () => {
    const account = await test.account();
    const most = { max: 100, windowSeconds: 600 };
    await account.svc.call('auth.settings.set', { rateLimits: { startPerIdentifier: most, startPerIp: most } });
    const app = test.app(account);
    const numberOf = (n: number): string => `+491512345${String(6000 + n)}`;
    // A quarter of what is left for each IP address, so that nobody keeps a block of numbers from signing in.
    for (let n = 0; n < 20; n += 1) await app.call('auth.signin.start', { phone: numberOf(n) }, from(`203.0.113.${n}`));
    const refused = await app.refusal('auth.signin.start', { phone: numberOf(20) }, from('203.0.113.20'));
    expect([refused.status, refused.code]).to.deep.equal([429, 'auth_send_limited']);
    await app.call('auth.signin.start', { phone: '+4915123466789' });
    platform.clock.advance(hours(1));
    await app.call('auth.signin.start', { phone: numberOf(20) });
  });

  it('adds a number to a signed-in user, which becomes the primary one', async () => {
    const account = await test.account();
    const app = test.app(account);
    const phone = somebody();
    const { accessToken } = await signedIn(platform, account.live);
    const { challengeId, sentTo } = await app.call('auth.identity.add', { accessToken, phone });
    expect(sentTo).to.equal('+49•••789');
    const code = await test.textedCode(phone);
    const { identity } = await app.call('auth.identity.verify', { accessToken, challengeId, code });
    expect(identity).to.include({ kind: 'phone', value: phone, primary: true });
    const updated = (await platform.events(account.live)).filter(({ type }) => type === 'auth.user.updated');
    expect(updated[0]?.data['user']).to.include({ phone, phoneVerified: true });
  });

  it('adds no number of another country, nor while the account is closed', async () => {
    const account = await test.account();
    const app = test.app(account);
    const { accessToken } = await signedIn(platform, account.live);
    const abroad = await app.refusal('auth.identity.add', { accessToken, phone: '+447400123456' });
    expect(abroad).to.include({ status: 403, code: 'destination_not_allowed' });
    await account.svc.call('account.close', { reason: 'Over.' });
    const closed = await app.refusal('auth.identity.add', { accessToken, phone: somebody() });
    expect(closed).to.include({ status: 403, code: 'account_closed' });
    expect((await app.refusal('auth.signin.start', { phone: somebody() })).code).to.equal('account_closed');
  });

  it('signs nobody up without an address where only some domains may', async () => {
    const account = await test.account();
    const phone = somebody();
    await account.svc.call('auth.settings.set', { signup: { allowedDomains: ['acme.example'] } });
    const app = test.app(account);
    const { challengeId } = await app.call('auth.signin.start', { phone });
    const code = await test.textedCode(phone);
    expect((await app.refusal('auth.signin.verify', { challengeId, code })).code).to.equal('signup_closed');
  });
});

describe('Sign-in by text message where no text could be sent', () => {
  const test = useSignInText({ SVC_SMS_REGISTRATION: 'required' });

  it('is not offered, and refused', async () => {
    const account = await test.account();
    const app = test.app(account);
    expect((await app.call('auth.signin.methods', {})).methods.sms).to.equal(false);
    const refused = await app.refusal('auth.signin.start', { phone: somebody() });
    expect([refused.status, refused.code]).to.deep.equal([403, 'method_disabled']);
    expect((await account.svc.call('auth.settings.get', {})).settings.methods['sms']).to.not.equal(undefined);
  });
});
