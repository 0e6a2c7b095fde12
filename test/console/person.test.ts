import { expect } from 'chai';
import { password, userWithPassword } from '#test/auth/password/support.js';
import { needProducts } from '#test/support/products.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import type { TestAccount } from '#test/support/platform.js';
import { useConsole } from './support.js';

/** Would mark the window, if it ran. Names may not contain a dot between letters. */
const hostile = '<img src=x onerror="name=\'owned\'">';

describe('The console, for support', function () {
  needProducts('email', 'audience');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;
  /** Without what the policy of the preview's frame stopped, which browsers report too. */
  const complaints = (): string[] =>
    test.complaints.filter((line) => !/console\/preview|"img-src data: \S+\/email\/images\/"/.test(line));

  /** Ada, who subscribed to two topics, opted out of one on the phone, and then was sent a letter. */
  async function ada(): Promise<TestAccount & { contactId: string; blockedId: string }> {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'Product news' });
    await svc.call('audience.topic.create', { key: 'events', name: 'Events' });
    const { contact } = await svc.call('audience.contact.upsert', {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: hostile,
      properties: { city: hostile },
      consents: ['news', 'events'].map((topic) => ({ topic, channel: 'email' as const, source: 'form' })),
    });
    platform.clock.advance(60_000);
    await svc.call('audience.consent.revoke', {
      contactId: contact.id,
      topic: 'news',
      channel: 'email',
      source: 'asked on the phone',
    });
    platform.clock.advance(60_000);
    const { messageId } = await svc.call('email.send', {
      to: 'ada@example.com',
      subject: `Letter ${hostile}`,
      html: `<style>i{display:none}@media (prefers-color-scheme:dark){i{display:block}}</style><p>Dear Ada</p><i>Good night</i><script>top.name='owned'</script>${hostile}`,
      topic: 'news',
    });
    return { ...account, contactId: contact.id, blockedId: messageId };
  }

  it('gives pages that are opened from an email no way back to the console', async () => {
    const account = await platform.account();
    const { messageId } = await account.svc.call('email.send', {
      to: 'ada@example.com',
      subject: 'Letter',
      html: `<a href="${platform.running.address}/openapi.json" target="other" rel="opener">Open this</a>`,
    });
    const page = await test.open(account, `email/message/${messageId}`);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.frameLocator('.paper iframe').getByRole('link', { name: 'Open this' }).click(),
    ]);
    await opened.waitForURL('**/openapi.json');
    expect(await opened.evaluate('opener === null')).to.equal(true);
  });

  it('answers why Ada got nothing, with the rule, who recorded it and the fix', async () => {
    const account = await ada();
    const page = await test.open(account, '');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ada@example.com');
    await page.getByRole('option', { name: /Ada .*Contact/ }).click();
    const reach = page.locator('section.card', { has: page.getByRole('heading', { name: 'Can we reach Ada?' }) });
    const rowOf = (topic: string) => reach.getByRole('row', { name: topic });
    await rowOf('Receipts and notices').getByText('Yes').first().waitFor();
    await rowOf('Product news').getByText('Opted out').waitFor();
    await rowOf('Product news')
      .getByText(/asked on the phone$/)
      .waitFor();
    await rowOf('Events').getByText('Yes').waitFor();
    expect(await rowOf('Events').getByText('Never asked').or(rowOf('Events').getByText('No address')).count()).to.equal(
      1,
    );
    const why = page.locator('section.card', {
      has: page.getByRole('heading', { name: 'Why didn’t they get any email?' }),
    });
    await why.getByText('Opted out of news').first().waitFor();
    await why.getByText('Source: asked on the phone').waitFor();
    await why.getByText(/Recorded .* by /).waitFor();
    await why.getByRole('link', { name: `Letter ${hostile}` }).waitFor();

    await why.getByRole('link', { name: 'Audit record' }).click();
    await page.getByText('Revoked consent to news on email.').first().waitFor();
    await page.goBack();

    // Another topic is not affected.
    await why.getByLabel('Topic').selectOption({ label: 'Events' });
    await why.getByText('Yes, they can be reached by email.').waitFor();

    // Ada has called again: the fix, with its source.
    await why.getByLabel('Topic').selectOption({ label: 'Product news' });
    await why.getByRole('button', { name: 'Record consent' }).click();
    await page.getByRole('dialog').getByLabel('Source').fill('call of today');
    await page.getByRole('dialog').getByRole('button', { name: 'Record consent' }).click();
    await why.getByText('Yes, they can be reached by email.').waitFor();
    const { consents } = await account.svc.call('audience.contact.get', { contactId: account.contactId });
    expect(consents.find(({ topic }) => topic === 'news')).to.include({ state: 'granted', source: 'call of today' });
    expect(complaints()).to.deep.equal([]);
  });

  it('finds a blocked message by its reason in the row, and opens what fixes it by keyboard', async () => {
    const account = await ada();
    const page = await test.open(account, 'email/message');
    const row = page.getByRole('row', { name: /ada@example\.com/ });
    await row
      .getByText(/^Opted out of news/)
      .last()
      .waitFor();
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `Letter ${hostile}` }).waitFor();
    await page.getByText(/unsubscribed from the topic “news” on email .*asked on the phone/).waitFor();
    await page.getByRole('button', { name: 'Record consent' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Record consent' }).waitFor();
    await page.keyboard.press('Escape');
    // The content is shown by a frame that runs nothing, and as text.
    const frame = page.frameLocator('.paper iframe');
    await frame.getByText('Dear Ada').waitFor();
    await page.getByRole('button', { name: 'Dark' }).click();
    await frame.getByText('Good night').waitFor();
    await page.getByRole('tab', { name: 'HTML source' }).click();
    await page.getByText('<p>Dear Ada</p>').waitFor();
    expect(await page.evaluate('name')).to.equal('');
    expect(await page.locator('main img').count()).to.equal(0);
    expect(complaints()).to.deep.equal([]);
  });

  it('fills a form in with texts that look like numbers or null, and changes only what is edited', async () => {
    const account = await platform.account();
    const { svc } = account;
    const known = { externalId: '1001', firstName: 'Ada', lastName: 'null' };
    const { contact } = await svc.call('audience.contact.upsert', { email: 'ada@example.com', ...known });
    const page = await test.open(account, `audience/contact/${contact.id}`);
    await page.getByRole('link', { name: 'Edit contact' }).click();
    await page.getByLabel('First name').fill('Augusta');
    await page.getByRole('button', { name: 'Update contact' }).click();
    await page.getByText('Update contact: done.').waitFor();
    const changed = await svc.call('audience.contact.get', { contactId: contact.id });
    expect(changed.contact).to.include({ ...known, firstName: 'Augusta' });

    // Null has a form of its own in addresses.
    const address = page.url().replace(/&ifUnchangedSince=[^&]*/, '');
    await page.goto(address.replace('lastName=null', `lastName=${encodeURIComponent('\u2400')}`));
    await page.getByText('Will be set to nothing.').waitFor();
    await page.getByRole('button', { name: 'Update contact' }).click();
    await page.getByText('Update contact: done.').waitFor();
    const cleared = await svc.call('audience.contact.get', { contactId: contact.id });
    expect(cleared.contact).to.include({ ...known, lastName: null });
    expect(complaints()).to.deep.equal([]);
  });

  it('shows the list after a contact is erased, and no error', async () => {
    const account = await platform.account();
    const { contact } = await account.svc.call('audience.contact.upsert', { email: 'ada@example.com' });
    const page = await test.open(account, `audience/contact/${contact.id}`);
    await page.getByRole('button', { name: 'Erase contact' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase contact' }).click();
    await page.getByText('Contact erased.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
  });

  it('is accessible and fits phones', async () => {
    const account = await ada();
    const { user } = await account.svc.call('auth.user.create', { email: 'ada@example.com', name: hostile });
    const screens = {
      person: `audience/contact/${account.contactId}`,
      messages: 'email/message',
      message: `email/message/${account.blockedId}`,
      user: `auth/user/${user.id}`,
      users: 'auth/user',
    };
    for (const [name, path] of Object.entries(screens)) {
      const page = await test.open(account, path, { bypassCSP: true });
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      await expectGoodLooks(page, `console-${name}`);
      expect(await page.evaluate('name')).to.equal('');
      await page.close();
    }
  });

  it('shows why somebody cannot sign in, lifts the limit, and opens the app as them', async () => {
    const account = await platform.account();
    await account.svc.call('auth.settings.set', { redirectUrls: [`${platform.running.address}/healthz`] });
    const userId = await userWithPassword(platform, account.live);
    const signIn = (typed: string) =>
      platform.api.raw('/auth/password/signin', JSON.stringify({ email: 'ada@example.com', password: typed }), {
        key: account.keys.live.publishable,
      });
    expect((await signIn(password)).status).to.equal(200);
    for (let each = 0; each < 4; each += 1) await signIn('wrong password');
    expect((await signIn(password)).status).to.equal(429);

    const page = await test.open(account, `auth/user/${userId}`, { bypassCSP: true });
    await page.getByText('They cannot sign in for now.').waitFor();
    await page.getByText(/Too many sign-ins were started for ada@example\.com from 127\.0\.0\.1, until/).waitFor();
    expect(await page.getByRole('link', { name: 'Wrong password' }).count()).to.equal(4);
    await expectGoodLooks(page, 'console-user-limited');
    await page.getByRole('button', { name: 'Lift the limit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the limit' }).click();
    await page.getByText('They cannot sign in for now.').waitFor({ state: 'detached' });
    expect((await signIn(password)).status).to.equal(200);

    await page.getByRole('button', { name: 'Impersonate user' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Ticket 1815');
    await page.getByRole('dialog').getByRole('button', { name: 'Impersonate user' }).click();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: /^Open 127\.0\.0\.1:\d+ as the user$/ }).click(),
    ]);
    await opened.waitForURL(/\/healthz\?svc_code=svc_hc_/);
    expect(complaints()).to.deep.equal([]);
  });

  it('bans a user with a reason, and says what impersonation records', async () => {
    const account = await platform.account();
    const { user } = await account.svc.call('auth.user.create', { email: 'eve@example.com', name: hostile });
    const page = await test.open(account, 'auth/user');
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('button', { name: 'Impersonate user' }).click();
    await page.getByRole('dialog').getByText('Recorded for everyone to see').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Ban user' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Card testing');
    await page.getByRole('dialog').getByRole('button', { name: 'Ban user' }).click();
    await page.getByText('Reason: Card testing').waitFor();
    const found = await account.svc.call('auth.user.get', { userId: user.id });
    expect(found.user.banReason).to.equal('Card testing');
    expect(complaints()).to.deep.equal([]);
  });
});
