import { expect } from 'chai';
import { TOTP } from 'otpauth';
import { idBytes } from '#core/runtime/id.js';
import { invited, organizationOf, person } from '#test/auth/people.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { visitor, type Seen, type Visitor } from './visitor.js';

describe('The page of an invitation to an organization', () => {
  const test = useSignInMail();
  const { platform } = test;
  const redirectTo = 'https://app.example.com/welcome?from=svc';
  let people = 0;

  interface Invited {
    account: TestAccount;
    email: string;
    organizationId: string;
    root: string;
    /** The path of the invitation's link. */
    path: string;
  }

  /** Somebody who is invited to an organization, with a way back to the app. */
  async function invitation(facts: { redirectTo?: string } = { redirectTo }): Promise<Invited> {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: ['https://app.example.com'] });
    const owner = await person(platform, account, 'owner');
    const { id: organizationId } = await organizationOf(owner);
    const email = `invited${(people += 1)}@example.com`;
    const { token } = await invited(platform, owner, { organizationId, email, ...facts });
    await test.mailsTo(email);
    const root = `/auth/${account.live.id}`;
    return { account, email, organizationId, root, path: `${root}/invite?token=${token}` };
  }

  /**
   * Goes from the invitation to the sign-in, and through its first step.
   * @param mails how many the person has got then: the invitation and codes
   * @returns where the code's page leads
   */
  async function firstStep(browser: Visitor, { email, root, path }: Invited, mails = 2): Promise<Seen> {
    const away = await browser.post(path, { do: 'accept' });
    expect(away.location).to.contain(`${root}/signin?next=`);
    await browser.get(away.location ?? '');
    await browser.submit(`${root}/signin`, { do: 'code', email });
    return browser.post(`${root}/signin?step=code`, { do: 'verify', code: await test.codeTo(email, mails) });
  }

  const membersOf = async ({ organizationId }: Invited): Promise<string[]> => {
    const rows = await platform.running.services.database.rows<{ email: string }>(
      'SELECT u.email FROM auth_org_member m JOIN auth_user u ON u.id = m.user_id WHERE m.organization_id = ?',
      [idBytes(organizationId)],
    );
    return rows.map(({ email }) => email);
  };

  const sessionsIn = (browser: Visitor): string[] =>
    [...browser.cookies.keys()].filter((name) => /access|refresh/.test(name));

  it('signs the invited person up, and hands them over to the app with a code', async () => {
    const given = await invitation();
    const browser = visitor(platform);
    await browser.get(given.path);
    expect((await firstStep(browser, given)).location).to.equal(given.path);
    const left = await browser.post(given.path, { do: 'accept' });
    expect(left.status).to.equal(303);
    const back = new URL(left.location ?? '');
    expect([back.origin + back.pathname, back.searchParams.get('from')]).to.deep.equal([
      'https://app.example.com/welcome',
      'svc',
    ]);
    const code = back.searchParams.get('svc_code') ?? '';
    const app = test.app(given.account);
    const { tokens, user } = await app.call('auth.session.exchange', { code });
    expect(user.email).to.equal(given.email);
    expect(await membersOf(given)).to.include(given.email);
    const organizations = await app.call('auth.org.mine', { accessToken: tokens.accessToken });
    expect(organizations.organizations).to.have.length(1);
    expect((await app.refusal('auth.session.exchange', { code })).code).to.equal('code_used');
    expect(sessionsIn(browser), 'the app has the session, the pages have none').to.deep.equal([]);
    const { activities } = await given.account.svc.call('account.activity.list', { limit: 10 });
    expect(activities.map(({ summary }) => summary).join()).to.contain('Handed off a session of the hosted pages');
  });

  it('asks for the second step before anything is accepted', async () => {
    const given = await invitation();
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    await given.account.svc.call('auth.user.import', {
      users: [{ email: given.email, emailVerified: true, totpSecret: secret }],
    });
    const browser = visitor(platform);
    const second = await firstStep(browser, given);
    expect(second.location).to.contain('step=factor');
    const early = await browser.post(given.path, { do: 'accept' });
    expect(early.location, 'the first step alone signs nobody in').to.contain('/signin?next=');
    expect(await membersOf(given)).not.to.include(given.email);
    expect((await firstStep(browser, given, 3)).location).to.contain('step=factor');
    const totp = new TOTP({ secret }).generate({ timestamp: platform.clock.now().getTime() });
    const inside = await browser.post(`${given.root}/signin?step=factor`, { do: 'second-factor', code: totp });
    expect(inside.location).to.equal(given.path);
    const left = await browser.post(given.path, { do: 'accept' });
    const code = new URL(left.location ?? '').searchParams.get('svc_code') ?? '';
    const { tokens } = await test.app(given.account).call('auth.session.exchange', { code });
    const checked = await given.account.svc.call('auth.session.verify', { accessToken: tokens.accessToken });
    expect(checked.session).to.include({ mfa: true });
    expect(await membersOf(given)).to.include(given.email);
  });

  it('leads to no address that is allowed no longer: the person stays, and is a member', async () => {
    const given = await invitation();
    const browser = visitor(platform);
    await firstStep(browser, given);
    await given.account.svc.call('auth.settings.set', { redirectUrls: ['https://other.example.com'] });
    expect((await browser.get(given.path)).headers.get('Content-Security-Policy')).not.to.contain('app.example.com');
    const stays = await browser.submit(given.path, { do: 'accept' });
    expect(stays.path).to.equal(`${given.root}/account`);
    expect(stays.text).to.contain('You’ve joined the organization.');
    expect(await membersOf(given)).to.include(given.email);
    expect(sessionsIn(browser)).to.have.length(2);
  });

  it('keeps the session where it leads to another hosted page, and without a redirectTo to the account page', async () => {
    const plain = await invitation({});
    const browser = visitor(platform);
    await firstStep(browser, plain);
    const stays = await browser.submit(plain.path, { do: 'accept' });
    expect(stays.path).to.equal(`${plain.root}/account`);
    expect(stays.text).to.contain('You’ve joined the organization.').and.contain(plain.email);

    const owner = await person(platform, plain.account, 'owner');
    const email = `invited${(people += 1)}@example.com`;
    const device = `${platform.running.services.deployment.baseUrl}${plain.root}/device`;
    const facts = { organizationId: plain.organizationId, email, redirectTo: device };
    const { token } = await invited(platform, owner, facts);
    await test.mailsTo(email);
    const hosted = { ...plain, email, path: `${plain.root}/invite?token=${token}` };
    const other = visitor(platform);
    await firstStep(other, hosted);
    const next = await other.post(hosted.path, { do: 'accept' });
    expect(next.location).to.equal(device);
    expect(sessionsIn(other)).to.have.length(2);
  });

  it('hands nobody over who may not accept', async () => {
    const given = await invitation();
    const browser = visitor(platform);
    await firstStep(browser, { ...given, email: `stranger${(people += 1)}@example.com` }, 1);
    const refused = await browser.submit(given.path, { do: 'accept' });
    expect(refused.status).to.equal(403);
    expect(refused.path).to.equal(given.path);
    expect(refused.text, 'signs in with the invited address').to.contain(
      `signin?next=${encodeURIComponent(given.path)}`,
    );
    expect(sessionsIn(browser)).to.have.length(2);
  });

  it('hands nothing over to a browser that holds only an access token', async () => {
    const given = await invitation();
    const browser = visitor(platform);
    await browser.get(given.path);
    await firstStep(browser, given);
    for (const name of [...browser.cookies.keys()]) if (name.includes('refresh')) browser.cookies.delete(name);
    const stayed = await browser.post(given.path, { do: 'accept' });
    expect(stayed.status).to.equal(303);
    expect(stayed.location).to.equal(`${given.root}/account`);
    expect(await membersOf(given)).to.include(given.email);
  });

  it('has whoever was signed out elsewhere sign in again, and come back', async () => {
    const given = await invitation();
    const browser = visitor(platform);
    await firstStep(browser, given);
    const { user } = await given.account.svc.call('auth.user.get', { email: given.email });
    await given.account.svc.call('auth.session.revoke', { userId: user.id });
    const away = await browser.post(given.path, { do: 'accept' });
    expect(away.location).to.equal(`${given.root}/signin?next=${encodeURIComponent(given.path)}`);
    expect(sessionsIn(browser)).to.deep.equal([]);
    expect((await firstStep(browser, given, 3)).location).to.equal(given.path);
    expect((await browser.post(given.path, { do: 'accept' })).location).to.contain('svc_code=');
  });

  it('has whoever lacks a required second factor set one up first', async () => {
    const given = await invitation();
    const browser = visitor(platform);
    await firstStep(browser, given);
    await given.account.svc.call('auth.settings.set', { mfa: { required: true } });
    const away = await browser.post(given.path, { do: 'accept' });
    expect(away.location).to.equal(`${given.root}/account`);
    expect((await browser.get(`${given.root}/account`)).text).to.contain('Two-step sign-in is required here');
  });

  it('says who invited and who is signed in, who may use another account', async () => {
    const account = await platform.account();
    const owner = await person(platform, account, 'inviter');
    await owner.call('auth.me.update', { name: 'Ada <b>Lovelace' });
    const { id: organizationId } = await organizationOf(owner);
    const email = `invited${(people += 1)}@example.com`;
    const { token } = await invited(platform, owner, { organizationId, email });
    await test.mailsTo(email);
    const root = `/auth/${account.live.id}`;
    const path = `${root}/invite?token=${token}`;
    const stranger = await visitor(platform).get(path);
    expect(stranger.text)
      .to.contain('Invited by')
      .and.contain('Ada &lt;b>Lovelace')
      .and.contain('Sign in to accept')
      .and.not.contain('Signed in as')
      .and.not.contain('Use another account');
    const browser = visitor(platform);
    await firstStep(browser, { account, email, organizationId, root, path });
    const seen = await browser.get(path);
    expect(seen.text)
      .to.match(new RegExp(`Signed in as.*${email}`))
      .and.contain(`<a href="${root}/signin?next=${encodeURIComponent(path)}">Use another account</a>`);
    const { user } = await account.svc.call('auth.user.get', { email });
    await account.svc.call('auth.session.revoke', { userId: user.id });
    expect((await browser.get(path)).text)
      .to.contain('Sign in to accept')
      .and.not.contain('Signed in as');
    expect(sessionsIn(browser)).to.deep.equal([]);
  });

  it('has words of its own once it was accepted: for whoever did so, and for others', async () => {
    const given = await invitation({});
    const browser = visitor(platform);
    await firstStep(browser, given);
    await browser.post(given.path, { do: 'accept' });
    const mine = await browser.get(given.path);
    expect(mine.status).to.equal(200);
    expect(mine.text)
      .to.contain('You’ve joined Analytical Engines')
      .and.contain(`href="${given.root}/account"`)
      .and.not.contain('<form');
    await browser.submit(`${given.root}/account`, { do: 'leave', organizationId: given.organizationId });
    expect((await browser.get(given.path)).text, 'after leaving').to.contain(
      'This invitation has already been accepted',
    );
    const other = await visitor(platform).get(given.path);
    expect(other.status).to.equal(409);
    expect(other.text)
      .to.contain('This invitation has already been accepted')
      .and.contain(`href="${given.root}/signin"`)
      .and.not.contain('Analytical Engines')
      .and.not.contain('<form');
  });

  it('has words of its own once it was withdrawn, and once it has expired', async () => {
    const given = await invitation({});
    platform.clock.advance(minutes(7 * 24 * 60 + 1));
    const expired = await visitor(platform).get(given.path);
    expect(expired.status).to.equal(410);
    expect(expired.text)
      .to.contain('This invitation has expired')
      .and.match(/It was valid until .*<time/);
    const owner = await person(platform, given.account, 'owner');
    const again = await invited(platform, owner, { organizationId: given.organizationId, email: 'second@example.com' });
    const { inviteId } = again;
    await owner.call('auth.org.invite.revoke', { organizationId: given.organizationId, inviteId });
    const withdrawn = await visitor(platform).get(`${given.root}/invite?token=${again.token}`);
    expect(withdrawn.status).to.equal(410);
    expect(withdrawn.text).to.contain('This invitation was withdrawn').and.not.contain('<form');
  });
});
