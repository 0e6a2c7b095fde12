import { expect } from 'chai';
import { themeWith } from '#test/account/theme/theme-with.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { usePlatform } from '#test/support/platform.js';

describe('auth.signin.methods', () => {
  const test = useSignInMail();
  const { platform } = test;

  it('shows what is enabled and available, whether people can sign up, and the published theme', async () => {
    const account = await platform.account();
    const app = test.app(account);
    const before = await app.call('auth.signin.methods', {});
    expect(before.methods).to.deep.equal({
      code: true,
      link: true,
      password: true,
      passkey: true,
      sms: false,
      oauth: [],
    });
    expect(before.signup).to.equal('open');
    await account.svc.call('account.theme.draft.save', { theme: themeWith({ brandName: 'Acme Sign-in' }) });
    await account.svc.call('account.theme.publish', {});
    await account.svc.call('auth.settings.set', {
      methods: { link: { enabled: false }, password: { enabled: false } },
      signup: { allow: 'invited' },
    });
    const after = await app.call('auth.signin.methods', {});
    expect(after.methods).to.include({ code: true, link: false, password: false, passkey: true });
    expect([after.signup, after.theme.brandName]).to.deep.equal(['closed', 'Acme Sign-in']);
  });
});

describe('auth.signin.methods without the product email', () => {
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers,auth' }) });

  it('offers neither codes nor links, and auth.signin.start says what is missing', async () => {
    const { svc, keys } = await platform.account();
    const app = { key: keys.live.publishable };
    expect((await svc.call('auth.signin.methods', {}, app)).methods).to.include({
      code: false,
      link: false,
      password: true,
    });
    const { status, code } = await svc.refusal('auth.signin.start', { email: 'ada@example.com' }, app);
    expect([status, code]).to.deep.equal([503, 'provider_not_configured']);
  });
});
