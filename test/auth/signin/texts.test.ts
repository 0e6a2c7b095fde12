import { expect } from 'chai';
import { definePlugin } from '#core/kernel/plugin.js';
import { provide } from '#core/kernel/provision.js';
import { signInTexts, type SignInText } from '#plugins/auth/ports.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { signedIn } from '#test/auth/support.js';
import { hours } from '#test/support/clock.js';
import { lab } from '#test/kernel/support/lab.js';

describe('Sign-in by text message', () => {
  const sent: SignInText[] = [];
  const phones = { available: true };
  /** Stands for the product that sends texts, which is not part of this. */
  const texts = definePlugin({
    ...lab(),
    provides: [
      provide(signInTexts, ({ fail }) => ({
        available: () => Promise.resolve(phones.available),
        async queue(_environment, text) {
          if (text.to.startsWith('+44')) throw fail.destination_not_allowed({ country: 'GB' });
          sent.push(text);
          return { messageId: '' };
        },
      })),
    ],
  });
  const test = useSignInMail({ plugins: [texts] });
  const { platform } = test;
  beforeEach(() => {
    phones.available = true;
    sent.length = 0;
  });

  const phone = '+4915123456789';

  it('sends a code to a number and signs its owner up', async () => {
    const account = await platform.account();
    const app = test.app(account);
    expect((await app.call('auth.signin.methods', {})).methods.sms).to.equal(true);
    const started = await app.call('auth.signin.start', { phone: '+49 1512 3456789', locale: 'pt-BR' });
    expect(started).to.include({ method: 'code', sentTo: '+49•••789' });
    expect(sent[0]).to.deep.include({ to: phone, locale: 'pt-BR' });
    expect(sent[0]?.template.locales['pt']?.body).to.contain('{{ code }}');
    const { challengeId } = started;
    const { user } = await app.call('auth.signin.verify', { challengeId, code: sent[0]?.variables['code'] ?? '' });
    expect(user).to.include({ phone, phoneVerified: true, email: null });
    const events = await platform.events(account.live);
    expect(events.find(({ type }) => type === 'auth.signin.started')?.data).to.deep.equal({
      method: 'sms',
      identityKind: 'phone',
    });
    expect(events.find(({ type }) => type === 'auth.signin.completed')?.data['session']).to.deep.include({
      methods: ['sms'],
    });
  });

  it('refuses links, other countries, and texts that are off or cannot be sent', async () => {
    const account = await platform.account();
    const app = test.app(account);
    expect((await app.refusal('auth.signin.start', { phone, method: 'link' })).code).to.equal('invalid_input');
    const abroad = await app.refusal('auth.signin.start', { phone: '+447400123456' });
    expect([abroad.status, abroad.code]).to.deep.equal([403, 'destination_not_allowed']);
    phones.available = false;
    expect((await app.refusal('auth.signin.start', { phone })).code).to.equal('method_disabled');
    phones.available = true;
    await account.svc.call('auth.settings.set', { methods: { sms: { enabled: false } } });
    expect((await app.refusal('auth.signin.start', { phone })).code).to.equal('method_disabled');
  });

  it('sends 20 texts an hour to numbers that begin alike, whoever asks', async () => {
    const account = await platform.account();
    const most = { max: 100, windowSeconds: 600 };
    await account.svc.call('auth.settings.set', { rateLimits: { startPerIdentifier: most, startPerIp: most } });
    const app = test.app(account);
    const numberOf = (n: number): string => `+491512345${String(6000 + n)}`;
    for (let n = 0; n < 20; n += 1) await app.call('auth.signin.start', { phone: numberOf(n) });
    const refused = await app.refusal('auth.signin.start', { phone: numberOf(20) });
    expect([refused.status, refused.code]).to.deep.equal([429, 'auth_send_limited']);
    await app.call('auth.signin.start', { phone: '+4915123466789' });
    platform.clock.advance(hours(1));
    await app.call('auth.signin.start', { phone: numberOf(20) });
  });

  it('adds a number to a signed-in user, which becomes the primary one', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const { accessToken } = await signedIn(platform, account.live);
    const { challengeId, sentTo } = await app.call('auth.identity.add', { accessToken, phone });
    expect(sentTo).to.equal('+49•••789');
    const code = sent[0]?.variables['code'] ?? '';
    const { identity } = await app.call('auth.identity.verify', { accessToken, challengeId, code });
    expect(identity).to.include({ kind: 'phone', value: phone, primary: true });
    const updated = (await platform.events(account.live)).filter(({ type }) => type === 'auth.user.updated');
    expect(updated[0]?.data['user']).to.include({ phone, phoneVerified: true });
  });

  it('signs nobody up without an address where only some domains may', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { signup: { allowedDomains: ['acme.example'] } });
    const app = test.app(account);
    const { challengeId } = await app.call('auth.signin.start', { phone });
    const code = sent[0]?.variables['code'] ?? '';
    expect((await app.refusal('auth.signin.verify', { challengeId, code })).code).to.equal('signup_closed');
  });
});
