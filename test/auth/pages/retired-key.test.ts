import { expect } from 'chai';
import { invited, organizationOf, person } from '#test/auth/people.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import type { TestAccount } from '#test/support/platform.js';
import { accountPage, inside } from './inside.js';
import type { Visitor } from './visitor.js';

describe('A signing key that is retired while people are signed in to the hosted pages', function () {
  this.timeout(60_000);
  const test = useSignInMail();
  const { platform } = test;

  async function retireKey({ svc }: TestAccount): Promise<void> {
    const { previous } = await svc.call('auth.signingKey.rotate', { algorithm: 'RS256' });
    await svc.call('auth.signingKey.retire', { keyId: previous.keyId });
  }

  const accessToken = ({ cookies }: Visitor): string =>
    [...cookies].find(([name]) => name.includes('access'))?.[1] ?? '';

  it('ends no session: a page is shown, and a form does what it says, once', async () => {
    const account = await platform.account();
    const reader = await inside(test, account, 'retired1@example.com');
    await retireKey(account);
    const before = accessToken(reader);
    expect((await reader.get(accountPage(account))).text).to.contain('retired1@example.com');
    expect(accessToken(reader)).to.not.equal(before);

    await retireKey(account);
    const saved = await reader.submit(accountPage(account), { do: 'profile', name: 'Ada' });
    expect([saved.path, saved.text.includes('value="Ada"')]).to.deep.equal([accountPage(account), true]);
  });

  it('ends no session on the page of an invitation', async () => {
    const account = await platform.account();
    const email = 'retired2@example.com';
    const reader = await inside(test, account, email);
    const owner = await person(platform, account, 'owner');
    const { id: organizationId, name } = await organizationOf(owner);
    const { token } = await invited(platform, owner, { organizationId, email });
    const page = `/auth/${account.live.id}/invite?token=${token}`;
    await retireKey(account);
    expect((await reader.get(page)).text)
      .to.contain('Signed in as')
      .and.contain(email);
    await retireKey(account);
    const joined = await reader.submit(page, { do: 'accept' });
    expect(joined.path).to.equal(accountPage(account));
    expect(joined.text).to.contain(name);
  });

  it('ends a session that was revoked', async () => {
    const account = await platform.account();
    const reader = await inside(test, account, 'retired3@example.com');
    const { user } = await account.svc.call('auth.user.get', { email: 'retired3@example.com' });
    await account.svc.call('auth.session.revoke', { userId: user.id });
    await retireKey(account);
    expect((await reader.get(accountPage(account))).location).to.contain('/signin?next=');
    expect([...reader.cookies.keys()].filter((name) => /access|refresh/.test(name))).to.deep.equal([]);
  });
});
