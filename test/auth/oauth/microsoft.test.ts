import { expect } from 'chai';
import type { TestAccount } from '#test/support/platform.js';
import { accountWith, browserOf, useOidc } from './support.js';

/** A stand-in with the claims of Microsoft’s ID tokens: only these decide whether an address is proven. */
describe('Sign-in with Microsoft', () => {
  const env = useOidc();

  const signInAs = async (account: TestAccount, sub: string, claims: Record<string, unknown>): Promise<string> => {
    const { platform, oidc } = env;
    oidc.person = { sub, claims };
    const browser = browserOf(platform, account, 'microsoft');
    const { status, text } = await account.svcTest.raw('/auth/oauth/complete', JSON.stringify(await browser.arrive()), {
      key: account.keys.test.publishable,
    });
    return status === 200 ? 'signed in' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
  };

  it('believes in an address only where the tenant owns its domain, or the account is a personal one', async () => {
    const { platform, oidc } = env;
    const account = await accountWith(platform, oidc, { provider: 'microsoft' });
    const email = { email: 'ceo@victim.example.com' };
    // An administrator of any tenant can write any address into an account (“nOAuth”).
    const tenant = { tid: '7f2f1f6c-0000-4000-8000-000000000001' };
    expect(await signInAs(account, 'a', { ...email, ...tenant })).to.equal('identity_unverified');
    expect(await signInAs(account, 'b', { ...email, ...tenant, email_verified: true })).to.equal('identity_unverified');
    expect(await signInAs(account, 'c', { ...email, ...tenant, xms_edov: false })).to.equal('identity_unverified');
    expect(await signInAs(account, 'd', { ...email, ...tenant, xms_edov: true })).to.equal('signed in');
    const personal = { email: 'ada@outlook.example.com', tid: '9188040d-6c67-4c5b-b112-36a304b66dad' };
    expect(await signInAs(account, 'e', personal)).to.equal('signed in');
  });
});
