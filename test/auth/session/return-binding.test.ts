import { expect } from 'chai';
import { codeChallenge, codeVerifier, state } from '#test/auth/binding.js';
import { asApp, password, userWithPassword } from '#test/auth/password/support.js';
import { challenges } from '#plugins/auth/tables/challenge.js';
import { newId } from '#core/runtime/id.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

describe('What binds a sign-in to the browser that an app started it in', () => {
  const platform = usePlatform();
  const redirectTo = 'https://app.example.com/callback';

  async function given(): Promise<TestAccount> {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: [redirectTo] });
    await userWithPassword(platform, account.live);
    return account;
  }

  async function returnOf(account: TestAccount, binding: object): Promise<URL> {
    const input = { email: 'ada@example.com', password, redirectTo, handoff: true, ...binding };
    return new URL((await asApp(platform, account).call('auth.password.signin', input)).redirectTo ?? '');
  }

  it('comes back beside the code, at an address that is registered without it', async () => {
    const back = await returnOf(await given(), { state });
    expect(back.origin + back.pathname).to.equal(redirectTo);
    expect(back.searchParams.get('state')).to.equal(state);
    expect(back.searchParams.get('svc_code')).to.match(/^svc_hc_/);
  });

  it('keeps a code from every app that does not have the verifier, and refuses a verifier for a code without a challenge', async () => {
    const account = await given();
    const app = asApp(platform, account);
    const exchange = async (code: string | null, verifier?: string): Promise<string> => {
      const input = { code: code ?? '', ...(verifier === undefined ? {} : { codeVerifier: verifier }) };
      return (await app.refusal('auth.session.exchange', input)).code;
    };
    const bound = (await returnOf(account, { codeChallenge })).searchParams.get('svc_code');
    expect(await exchange(bound)).to.equal('code_invalid');
    expect(await exchange(bound, 'r'.repeat(43))).to.equal('code_invalid');
    const { user } = await app.call('auth.session.exchange', { code: bound ?? '', codeVerifier });
    expect(user.email).to.equal('ada@example.com');
    // Somebody else's sign-in, whose address they send to this browser.
    const theirs = (await returnOf(account, {})).searchParams.get('svc_code');
    expect(await exchange(theirs, codeVerifier)).to.equal('code_invalid');
    expect((await app.call('auth.session.exchange', { code: theirs ?? '' })).user.email).to.equal('ada@example.com');
  });

  it('needs a return address, in the same words everywhere, and is bounded', async () => {
    const account = await given();
    await account.svc.call('auth.settings.set', { rateLimits: { startPerIdentifier: { max: 100 } } });
    const app = asApp(platform, account);
    const problem = async (operation: 'auth.password.signin' | 'auth.signin.start', binding: object) => {
      const input =
        operation === 'auth.signin.start' ? { email: 'ada@example.com' } : { email: 'ada@example.com', password };
      const { code, message } = await app.refusal(operation, { ...input, ...binding });
      return `${code}: ${message}`;
    };
    const needed = (field: string): string =>
      `invalid_input: The field “${field}” requires a redirectTo when the sign-in is started.`;
    for (const operation of ['auth.password.signin', 'auth.signin.start'] as const) {
      expect(await problem(operation, { handoff: true })).to.equal(needed('handoff'));
      expect(await problem(operation, { state })).to.equal(needed('state'));
      expect(await problem(operation, { codeChallenge })).to.equal(needed('codeChallenge'));
      for (const binding of [{ state: 'x'.repeat(257) }, { state: 'a b' }, { codeChallenge: 'x' }])
        expect(await problem(operation, { redirectTo, ...binding })).to.match(/^invalid_input/);
    }
  });

  it('is checked before a challenge of a passkey is used up', async () => {
    const account = await given();
    const app = asApp(platform, account);
    const { challengeId } = await app.call('auth.passkey.signin.start', {});
    const part = 'AAAA';
    const response = {
      id: newId(),
      rawId: part,
      type: 'public-key' as const,
      response: { authenticatorData: part, clientDataJSON: part, signature: part },
    };
    const refused = await app.refusal('auth.passkey.signin.verify', { challengeId, response, handoff: true });
    expect(refused.message).to.contain('requires a redirectTo');
    const row = await platform.running.services.database.findOne(challenges, { id: challengeId });
    expect(row?.completedAt).to.equal(null);
  });
});
