import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { orgInvites } from '#plugins/auth/tables/org-invite.js';
import { organizations } from '#plugins/auth/tables/organization.js';
import type { InputOf } from '#test/support/api.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { startedCode, userOf } from '#test/auth/support.js';
import { hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';

describe('Who becomes a user by signing in', () => {
  const test = useSignInMail();
  const { platform } = test;

  /** Enters the right code for an address. @returns `complete`, or the refusal's code */
  async function signIn(account: TestAccount, email: string, ip = '203.0.113.1'): Promise<string> {
    const challengeId = await startedCode(platform, account.live, { email });
    const input = JSON.stringify({ challengeId, code: '271828' });
    const { text } = await test.app(account).raw('/auth/signin/verify', input, from(ip));
    return /"(?:status|code)":"([a-z_]+)"/.exec(text)?.[1] ?? text;
  }
  const withSettings = async (settings: InputOf<'auth.settings.set'>): Promise<TestAccount> => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', settings);
    return account;
  };
  const usersOf = ({ live }: TestAccount): Promise<number> =>
    platform.count('auth_user', `environment_id = 0x${live.id.replaceAll('-', '')}`);

  async function organizationIn(environmentId: string): Promise<string> {
    const id = newId();
    const now = platform.clock.now();
    await platform.running.services.database.insert(organizations, {
      ...{ id, environmentId, name: 'Engines', nameKey: 'engines', slug: `engines-${id}`, logoUrl: null },
      ...{ metadata: '{}', requireMfa: false, memberCount: 1, createdAt: now, updatedAt: now },
    });
    return id;
  }

  async function invite(
    { live }: TestAccount,
    email: string,
    facts: { expired?: true; revoked?: true; deleted?: true } = {},
  ) {
    const now = platform.clock.now();
    const expiresAt = new Date(now.getTime() + (facts.expired ? 0 : hours(1)));
    await platform.running.services.database.insert(orgInvites, {
      id: newId(),
      environmentId: live.id,
      organizationId: facts.deleted ? newId() : await organizationIn(live.id),
      email,
      emailKey: email,
      openKey: email,
      role: 'member',
      tokenDigest: sha256(randomToken(43)),
      invitedBy: newId(),
      redirectTo: null,
      createdAt: now,
      expiresAt,
      acceptedAt: null,
      acceptedBy: null,
      revokedAt: facts.revoked ? now : null,
    });
  }

  it('is nobody where signup.allow is nobody; users go on signing in', async () => {
    const account = await withSettings({ signup: { allow: 'nobody' } });
    await userOf(platform, account.live, 'known@example.com');
    expect(await signIn(account, 'known@example.com')).to.equal('complete');
    expect(await signIn(account, 'new@example.com')).to.equal('signup_closed');
    const failed = (await platform.events(account.live)).filter(({ type }) => type === 'auth.signin.failed');
    expect(failed.map(({ data }) => data['reason'])).to.deep.equal(['signup_closed']);
    expect(await usersOf(account)).to.equal(1);
  });

  it('is who has an open invitation to an organization where signup.allow is invited', async () => {
    const account = await withSettings({ signup: { allow: 'invited' } });
    await invite(account, 'invited@example.com');
    await invite(account, 'late@example.com', { expired: true });
    await invite(account, 'withdrawn@example.com', { revoked: true });
    // Of an organization that was deleted, whose invitations are yet to be removed.
    await invite(account, 'orphan@example.com', { deleted: true });
    expect(await signIn(account, 'Invited@example.com')).to.equal('complete');
    for (const email of ['late@example.com', 'withdrawn@example.com', 'orphan@example.com', 'new@example.com'])
      expect(await signIn(account, email), email).to.equal('signup_closed');
  });

  it('is nobody with an address of a blocked domain or below one, in whichever spelling', async () => {
    const account = await withSettings({ signup: { blockedDomains: ['trash.example', 'Bücher.example'] } });
    for (const email of ['a@trash.example', 'a@mail.TRASH.example', 'a@xn--bcher-kva.example', 'a@bücher.example'])
      expect(await signIn(account, email), email).to.equal('signup_domain_blocked');
    expect(await signIn(account, 'a@nottrash.example')).to.equal('complete');
  });

  it('is who has an address of an allowed domain, and not of one below it', async () => {
    const account = await withSettings({ signup: { allowedDomains: ['acme.example'] } });
    expect(await signIn(account, 'a@acme.example')).to.equal('complete');
    for (const email of ['a@mail.acme.example', 'a@acme.example.org', 'a@other.example'])
      expect(await signIn(account, email), email).to.equal('signup_domain_blocked');
  });

  it('is five people an hour per IP address, not counting known and refused people', async () => {
    const account = await withSettings({ signup: { blockedDomains: ['blocked.example'] } });
    for (const n of [1, 2, 3, 4, 5]) {
      expect(await signIn(account, `${n}@blocked.example`)).to.equal('signup_domain_blocked');
      expect(await signIn(account, `${n}@example.com`)).to.equal('complete');
      expect(await signIn(account, `${n}@example.com`)).to.equal('complete');
    }
    expect(await signIn(account, '6@example.com')).to.equal('rate_limited');
    expect(await usersOf(account)).to.equal(5);
    expect(await signIn(account, '1@example.com')).to.equal('complete');
    expect(await signIn(account, '6@example.com', '203.0.113.2')).to.equal('complete');
    platform.clock.advance(hours(1));
    expect(await signIn(account, '7@example.com')).to.equal('complete');
  });

  it('is at most that many of twenty at the same time', async () => {
    const account = await platform.account();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => signIn(account, `${n}@example.com`)));
    expect(answers.filter((answer) => answer === 'complete')).to.have.length(5);
    expect(await usersOf(account)).to.equal(5);
  });

  it('is not limited per IP address without bot protection', async () => {
    const account = await withSettings({ botProtection: { enabled: false } });
    for (const n of [1, 2, 3, 4, 5, 6]) expect(await signIn(account, `${n}@example.com`)).to.equal('complete');
  });

  it('can try again where the limit was in the way: the code is not used up', async () => {
    const account = await withSettings({ botProtection: { signupPerIp: { max: 1 } } });
    await signIn(account, 'first@example.com');
    const challengeId = await startedCode(platform, account.live, { email: 'second@example.com' });
    const app = test.app(account);
    const input = { challengeId, code: '271828' };
    expect((await app.refusal('auth.signin.verify', input, from('203.0.113.1'))).code).to.equal('rate_limited');
    expect((await app.call('auth.signin.verify', input, from('203.0.113.9'))).status).to.equal('complete');
  });
});
