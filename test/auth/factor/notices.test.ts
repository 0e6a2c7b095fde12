import { expect } from 'chai';
import { pagesOrigin, registerPasskey } from '#test/auth/passkey/support.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { softwareAuthenticator } from '#test/support/authenticator.js';
import { appOf, mfaTokenOf, userWithTotp } from './support.js';

describe('Security notices about second factors and passkeys', () => {
  const test = useSignInMail();

  it('tell the user of each change and of each recovery code that was used', async () => {
    const { platform } = test;
    const account = await platform.account();
    const api = test.app(account);
    const { user, recoveryCodes } = await userWithTotp(platform, account);
    const { accessToken, userId } = user;
    const mfaToken = await mfaTokenOf(platform, account.live, userId);
    await api.call('auth.mfa.recover', { mfaToken, recoveryCode: recoveryCodes[0] ?? '' });
    await api.call('auth.factor.recovery.regenerate', { accessToken });
    const passkey = await registerPasskey(api, softwareAuthenticator(pagesOrigin(platform)), accessToken, 'Blue key');
    await api.call('auth.passkey.remove', { accessToken, passkeyId: passkey.id });
    const { factorId, secret } = await api.call('auth.factor.totp.enroll', { accessToken });
    const code = appOf(platform, secret).code();
    await api.call('auth.factor.totp.activate', { accessToken, factorId, code });
    await api.call('auth.factor.remove', { accessToken, factorId });
    const wanted = [
      'Two-step sign-in was turned on',
      'A recovery code was used',
      'You have new recovery codes',
      'A passkey was added',
      'A passkey was removed',
      'Your authenticator app was replaced',
      'Two-step sign-in was turned off',
    ];
    const mails = await test.mailsTo('ada@example.com', wanted.length);
    const subjects = mails.map(({ parsed }) => parsed.subject);
    for (const subject of wanted) expect(subjects).to.include(subject);
    const added = mails.find(({ parsed }) => parsed.subject === 'A passkey was added');
    expect(added?.parsed.text).to.include('Blue key');
    const all = mails.map(({ parsed }) => parsed.text ?? '').join('\n');
    for (const hidden of [secret, code, ...recoveryCodes]) expect(all).to.not.include(hidden);
  });
});
