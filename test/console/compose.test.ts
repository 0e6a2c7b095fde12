import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inboundSecret, rawMail, receive } from '#test/email/inbound/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';
import { useConsole } from './support.js';

/** Would mark the window, if it ran. Names may not contain a dot between letters. */
const hostile = '<img src=x onerror="name=\'owned\'">';

describe('The console, writing to one person and answering', function () {
  needProducts('email', 'audience');
  this.timeout(240_000);
  const test = useConsole({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });
  const { platform } = test;
  /** Without what the policy of the preview's frame stopped, which browsers report too. */
  const complaints = (): string[] => test.complaints.filter((line) => !/console\/preview|img-src data:/.test(line));

  async function people(): Promise<TestAccount> {
    const account = await platform.account();
    await account.svc.call('audience.contact.upsert', {
      email: 'ada@example.com',
      firstName: 'Ada',
      lastName: hostile,
    });
    await account.svc.call('audience.contact.upsert', { email: 'adam@example.com', firstName: 'Adam' });
    await account.svc.call('audience.suppression.add', { email: 'adam@example.com', note: 'asked by phone' });
    return account;
  }
  const onlyMessage = async ({ svc }: TestAccount) => {
    const [message] = (await svc.call('email.message.list', {})).messages;
    return svc.call('email.message.get', { messageId: message?.messageId ?? '' });
  };
  const viewer = async ({ accountId, svc }: TestAccount): Promise<string> => {
    const email = `viewer-${accountId}@example.com`;
    await svc.call('account.member.invite', { email, role: 'viewer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    return email;
  };
  const isRefused = async (page: Page, button: string): Promise<boolean> =>
    (await page.getByRole('button', { name: button }).getAttribute('aria-disabled')) === 'true';

  it('sends an email with a file to somebody found by name, by keyboard, as it was typed', async () => {
    const account = await people();
    const page = await test.open(account, 'email/compose');
    await page.getByLabel('To', { exact: true }).focus();
    await page.keyboard.type('Ada');
    await page.getByRole('option', { name: /ada@example/ }).waitFor();
    while (!(await page.getByRole('option', { name: /ada@example/, selected: true }).count()))
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('ada@example.com can get it.').waitFor();
    await page.getByLabel('Subject').fill('Your order {{ number }}');
    await page.getByRole('textbox', { name: 'The email' }).focus();
    await page.keyboard.type('Hello Ada, it left us.');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') });
    await page.getByRole('button', { name: 'Remove note.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Send email' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your order {{ number }}' }).waitFor();
    const { message, content, attachments } = await onlyMessage(account);
    expect(message).to.deep.include({ to: ['ada@example.com'], subject: 'Your order {{ number }}' });
    expect(content?.html).to.contain('Hello Ada, it left us.');
    expect(attachments.map(({ filename }) => filename)).to.deep.equal(['note.pdf']);
    expect(complaints()).to.deep.equal([]);
  });

  it('says before the button who does not get it, and keeps what was written', async () => {
    const account = await people();
    const { contact } = await account.svc.call('audience.contact.get', { email: 'adam@example.com' });
    const page = await test.open(account, `audience/contact/${contact.id}`);
    await page.getByRole('link', { name: 'Send email' }).click();
    await page.getByText(/adam@example\.com does not get it: suppressed: added by hand/).waitFor();
    expect(page.url()).to.not.contain('adam');
    await page.getByLabel('Subject').fill('Hello');
    await page.reload();
    expect(await page.getByLabel('Subject').inputValue()).to.equal('Hello');
    await page.getByRole('button', { name: 'Remove adam@example.com' }).click();
    expect(await isRefused(page, 'Send email')).to.equal(true);
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Subject').inputValue()).to.equal('');
    expect(complaints()).to.deep.equal([]);
  });

  it('shows received mail by person, and answers in their thread', async () => {
    const account = await people();
    const from = { From: 'Eve <ada@example.com>' };
    await receive(platform, account, rawMail({ ...from, Subject: 'First question' }, 'Where is it?'));
    platform.clock.advance(60_000);
    const inboundId = await receive(
      platform,
      account,
      rawMail({ ...from, 'Message-ID': '<two@x>', Subject: hostile }, `${hostile}\r\n\r\n> Where is it?`),
    );
    const page = await test.open(account, 'email/inbound');
    await page.getByText('1 unanswered').waitFor();
    const row = page.getByRole('row', { name: /ada@example\.com/ });
    await row.getByText('Unanswered').waitFor();
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ada@example.com' }).waitFor();
    await page.locator('.written', { hasText: hostile }).waitFor();
    await page.getByText('First question').click();
    await page.locator('.written', { hasText: /^Where is it\?$/ }).waitFor();
    platform.clock.advance(60_000);
    await page.getByLabel('Answer').fill('It is on its way.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Answer accepted.').waitFor();
    await page.locator('.letter.out').getByText('It is on its way.').waitFor();
    const { message, content } = await onlyMessage(account);
    expect(message).to.deep.include({ to: ['ada@example.com'], subject: `Re: ${hostile}` });
    expect(content?.text).to.contain('It is on its way.');
    await page.getByRole('link', { name: 'All received mail' }).click();
    await page
      .getByRole('row', { name: /ada@example\.com/ })
      .getByText('Answered')
      .waitFor();
    expect(inboundId).to.not.equal('');
    expect(await page.evaluate('name')).to.equal('');
    expect(complaints()).to.deep.equal([]);
  });

  it('is accessible and fits phones, and a viewer may only read', async () => {
    const account = await people();
    const inboundId = await receive(platform, account, rawMail({ Subject: hostile }, hostile));
    const email = await viewer(account);
    const page = await test.open(account, 'email/compose', { email, bypassCSP: true });
    await page.getByLabel('To', { exact: true }).fill('Ada');
    await page.getByRole('option', { name: /ada@example/ }).waitFor();
    await expectGoodLooks(page, 'console-compose-people', ['light', 'phone-dark']);
    await page.getByRole('option', { name: /ada@example/ }).click();
    await page.getByText('ada@example.com can get it.').waitFor();
    await page.getByRole('textbox', { name: 'The email' }).waitFor();
    await expectGoodLooks(page, 'console-compose');
    expect(await isRefused(page, 'Send email')).to.equal(true);
    for (const path of ['email/inbound', `email/inbound/${inboundId}`]) {
      await page.goto(page.url().replace(/email\/.*$/, path));
      await page.locator('main h1').first().waitFor();
      await page.locator('main .loading').first().waitFor({ state: 'detached' });
      await expectGoodLooks(page, `console-${path.split('/').length === 2 ? 'inbox' : 'inbox-conversation'}`);
    }
    expect(await isRefused(page, 'Send answer')).to.equal(true);
    expect(await page.evaluate('name')).to.equal('');
  });
});
