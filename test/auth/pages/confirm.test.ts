import { expect } from 'chai';
import { join, organizationOf, person } from '#test/auth/people.js';
import { useSignInMail } from '#test/auth/sign-in-mail.js';
import { accountPage, enrolmentIn, inside } from './inside.js';
import type { Shown } from './visitor.js';

describe('The account page, before it takes something away', () => {
  const test = useSignInMail();
  const { platform } = test;

  /** Where the link with this beginning of its label leads. */
  function linkOf({ text, path }: Shown, label: string): string {
    const [, href = ''] = new RegExp(`<a class="[^"]*" href="([^"]+)">${label}`).exec(text) ?? [];
    expect(href, `a link ${label}`).to.contain('confirm=');
    return path + href.replaceAll('&amp;', '&');
  }

  it('asks, and says which address goes: opening that page and going back keep it', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'first@example.com');
    const page = accountPage(account);
    const asked = await browser.submit(page, { do: 'add-address', email: 'second@example.com' });
    const challengeId = /name="challengeId" value="([^"]+)"/.exec(asked.text)?.[1] ?? '';
    const code = await test.codeTo('second@example.com');
    const both = await browser.submit(page, { do: 'verify-address', challengeId, code });
    expect(both.text, 'no button removes at once').not.to.contain('value="remove-address"');
    const confirm = await browser.open(linkOf(both, 'Remove'));
    expect(confirm.text)
      .to.contain('Remove second@example.com?')
      .and.contain('You’ll no longer be able to sign in with it.')
      .and.match(/<a href="[^"]*\/account">Cancel/);
    const addresses = async (): Promise<number> =>
      (await account.svc.call('auth.user.get', { email: 'first@example.com' })).identities.length;
    expect(await addresses()).to.equal(2);
    const identityId = /name="identityId" value="([^"]+)"/.exec(confirm.text)?.[1] ?? '';
    const removed = await browser.submit(confirm.path, { do: 'remove-address', identityId });
    expect(removed.path).to.equal(page);
    expect(removed.text).to.contain('Removed.');
    expect(await addresses()).to.equal(1);
    const late = await browser.open(confirm.path);
    expect(late.path).to.equal(page);
    expect(late.text).to.contain('That doesn’t exist, or it’s been removed.');
  });

  it('says what goes with a password, two-step sign-in, recovery codes and other sessions', async () => {
    const account = await platform.account();
    const email = 'several@example.com';
    await inside(test, account, email);
    const browser = await inside(test, account, email, 2);
    const page = accountPage(account);
    await browser.submit(page, { do: 'set-password', password: 'correct horse battery 9', keepOthers: 'yes' });
    const { factorId, code } = enrolmentIn(test, await browser.submit(page, { do: 'enrol' }));
    await browser.submit(page, { do: 'activate', factorId, code });
    const shown = await browser.submit(page, { do: 'codes-kept' });
    for (const [label, heading, lost] of [
      ['Remove the password', 'Remove your password?', 'You’ll no longer be able to sign in with it.'],
      ['Turn off', 'Turn off two-step sign-in?', 'your recovery codes will stop working'],
      [
        'Create new recovery codes',
        'Create new recovery codes?',
        'Your current codes will stop working. Recovery codes left: 10',
      ],
      ['Sign out<', 'Sign out Unknown?', '127.0.0.1'],
      ['Sign out everywhere else', 'Sign out everywhere else?', 'You’ll have to sign in again on these devices:'],
    ] as const) {
      const confirm = await browser.open(linkOf(shown, label));
      expect(confirm.text, label).to.contain(heading).and.contain(lost).and.contain('name="do"');
    }
    const user = await account.svc.call('auth.user.get', { email });
    expect(user.factors).to.have.length(1);
    expect(await platform.count('auth_password', `user_id = UNHEX('${user.user.id.replaceAll('-', '')}')`)).to.equal(1);
  });

  it('has the person sign in again for what needs a recent sign-in, and comes back to the question', async () => {
    const account = await platform.account();
    const browser = await inside(test, account, 'asked@example.com');
    const page = accountPage(account);
    await browser.submit(page, { do: 'set-password', password: 'correct horse battery 9' });
    const confirm = `${page}?confirm=remove-password`;
    platform.clock.advance(12 * 60_000);
    const away = await browser.post(confirm, { do: 'remove-password' });
    expect(new URL(away.location ?? '', 'http://svc').searchParams.get('next')).to.equal(confirm);
  });

  it('says which organization keeps its only owner, and where to make another one, before anything is confirmed', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { selfDelete: { enabled: true } });
    const owner = await person(platform, account, 'only-owner');
    const kept = await organizationOf(owner, 'Analytical Engines');
    await organizationOf(owner, 'Alone Ltd');
    const other = await person(platform, account, 'member');
    await join(platform, kept.id, other);
    const browser = await inside(test, account, owner.email);
    const page = accountPage(account);
    const shown = await browser.open(page);
    const [, deletion = ''] = shown.text.split('id="deletion"');
    expect(deletion)
      .to.contain('You’re the only owner of')
      .and.contain('Analytical Engines')
      .and.contain('auth.org.member.update')
      .and.not.contain('Alone Ltd')
      .and.not.contain('confirm=delete');
    const asked = await browser.open(`${page}?confirm=delete`);
    expect(asked.text).to.contain('Analytical Engines').and.not.contain('<form');
    const leave = await browser.open(`${page}?confirm=leave&id=${kept.id}`);
    expect(leave.text).to.contain('Leave Analytical Engines?').and.contain('only owner of').and.not.contain('<form');

    const role = { organizationId: kept.id, userId: other.userId, role: 'owner' } as const;
    await owner.call('auth.org.member.update', role);
    const free = await browser.open(`${page}?confirm=delete`);
    expect(free.text)
      .to.contain('The organization Alone Ltd, which has no other members')
      .and.contain('name="confirm"');
    const gone = await browser.submit(free.path, { do: 'delete', confirm: owner.email });
    expect(gone.text).to.contain('Your account has been deleted');
    expect((await browser.open(gone.path)).text, 'loaded again').to.contain('Sign in to');
    expect(
      await platform.count('auth_org_member', `organization_id = UNHEX('${kept.id.replaceAll('-', '')}')`),
    ).to.equal(1);
  });
});
