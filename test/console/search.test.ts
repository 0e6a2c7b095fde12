import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { draft, publish, publisher, subscribe, type Publisher } from '#test/email/broadcast/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { addMember } from '#test/account/support.js';
import { useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=1">';

describe('The console, search by name', function () {
  needProducts('email', 'audience', 'developers', 'billing');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  /** An account that has one thing of each kind with a name. */
  async function withNames(): Promise<Publisher & { broadcastId: string; contactId: string }> {
    const sender = await publisher(platform);
    const { svc } = sender;
    const [contactId = ''] = await subscribe(sender, ['zoe@example.com'], { firstName: 'Zoë', lastName: hostile });
    await svc.call('email.send', { to: 'zoe@example.com', subject: `Winter ${hostile}`, text: 'Hello' });
    await publish(sender, { en: { subject: 'Hi', text: 'Hello' } }, { name: 'winter-letter' });
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender, { name: `Winter ${hostile}` }));
    await svc.call('email.automation.create', {
      name: 'Winter welcome',
      triggerEvent: 'order.placed',
      steps: [{ type: 'wait', seconds: 60 }],
    });
    await svc.call('audience.segment.create', {
      name: 'Winter buyers',
      definition: { field: 'email', op: 'contains', value: 'example' },
    });
    await svc.call('audience.topic.create', { key: 'wintersport', name: 'Winter sport' });
    await svc.call('developers.webhook.create', { url: 'https://winter.example.com/hook', eventTypes: [] });
    return { ...sender, broadcastId: broadcast.id, contactId };
  }

  const search = async (page: Page, text: string): Promise<void> => {
    // Before the page is there, nothing listens for the key.
    await page.getByRole('button', { name: /^Search people/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search/ }).fill(text);
  };
  const option = (page: Page, name: RegExp | string) =>
    page.getByRole('listbox', { name: 'Results' }).getByRole('option', { name });

  it('finds everything with a name, reads each list once, and opens its page', async () => {
    const account = await withNames();
    // Home reads broadcasts itself.
    const page = await test.open(account, 'developers/key', { bypassCSP: true });
    const calls: string[] = [];
    page.on('request', (request) => calls.push(new URL(request.url()).pathname));
    await search(page, 'winter');
    for (const name of [
      'winter-letter',
      `Winter ${hostile}`,
      'Winter welcome',
      'Winter buyers',
      'Winter sport',
      'https://winter.example.com/hook',
    ])
      await option(page, name).first().waitFor();
    await page.getByRole('combobox').fill('winter b');
    await option(page, 'Winter welcome').waitFor({ state: 'detached' });
    await option(page, 'Winter buyers').waitFor();
    expect(calls.filter((path) => path === '/audience/segment/list')).to.have.length(1);
    expect(calls.filter((path) => path === '/email/broadcast/list')).to.have.length(1);
    await page.getByRole('combobox').fill('winter');
    await option(page, 'Winter sport').waitFor();
    await expectGoodLooks(page, 'search');
    await option(page, new RegExp('Winter <img')).first().click();
    await page.waitForURL(`**/email/broadcast/${account.broadcastId}`);
    // A middle of a word, a member, an invoice's screen.
    await search(page, 'sport');
    await option(page, 'Winter sport').click();
    await page.getByRole('heading', { level: 1, name: 'Winter sport' }).waitFor();
    await search(page, account.ownerEmail.split('@')[0] ?? '');
    await option(page, account.ownerEmail).first().waitFor();
    expect(await page.title()).to.not.equal('1');
    expect(test.complaints).to.deep.equal([]);
  });

  it('opens the person of an exact address first, also if Enter is faster than the answer', async () => {
    const account = await withNames();
    const page = await test.open(account, '');
    await search(page, 'zoe@example.com');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/audience/contact/${account.contactId}`);
    await search(page, 'zoe');
    await option(page, /zoe@example\.com.*Contact/).waitFor();
    await search(page, 'ZOE@example.com');
    await option(page, /^Winter/)
      .first()
      .waitFor();
    expect(
      await page.getByRole('listbox', { name: 'Results' }).getByRole('option', { selected: true }).innerText(),
    ).to.contain('Contact');
    expect(test.complaints).to.deep.equal([]);
  });

  it('opens screens made by hand instead of forms, and dialogs once', async () => {
    const account = await platform.account();
    const page = await test.open(account, '');
    await search(page, 'create topic');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Create topic' }).waitFor();
    expect(page.url()).to.match(/audience\/topic$/);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Topics' }).waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    await search(page, 'new broadcast');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/email/broadcast/new');
    // What needs one of several things begins with choosing it; a developer's name of an operation opens its form.
    await search(page, 'cancel broadcast');
    await option(page, /Cancel broadcast.*in Broadcasts/)
      .first()
      .click();
    await page.waitForURL('**/email/broadcast');
    await search(page, 'email.broadcast.cancel');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/do/email.broadcast.cancel');
    expect(test.complaints).to.deep.equal([]);
  });

  it('does what a command says', async () => {
    const account = await platform.account();
    const { contact } = await account.svc.call('audience.contact.upsert', { email: 'ada@example.com' });
    const page = await test.open(account, `audience/contact/${contact.id}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
      bypassCSP: true,
    });
    await search(page, 'copy id');
    await page.keyboard.press('Enter');
    await page.getByText('ID copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(contact.id);
    await search(page, 'dark');
    await page.keyboard.press('Enter');
    const canvas = (): Promise<unknown> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const dark = await canvas();
    await page.reload();
    await page.locator('h1').first().waitFor();
    expect(await canvas()).to.equal(dark);
    await page.getByRole('navigation', { name: 'Main' }).locator('.me summary').click();
    await page.getByRole('radio', { name: 'Light' }).check();
    expect(await canvas()).to.not.equal(dark);
    await page.getByRole('radio', { name: 'System' }).check();
    await expectGoodLooks(page, 'appearance', ['light', 'dark']);
    await search(page, 'switch to test');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/${account.test.id}`);
    await page.getByRole('region', { name: 'Environment' }).waitFor();
    await search(page, 'log out');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(test.complaints).to.deep.equal([]);
  });

  it('asks for nothing that the role may not read, and offers nothing that it may not do', async () => {
    const account = await withNames();
    const { email } = await addMember(platform, account, { role: 'viewer' });
    const page = await test.open(account, '', { email });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await search(page, 'winter');
    await option(page, 'Winter sport').waitFor();
    await page.getByRole('combobox').fill('create topic');
    await page.getByText('Nothing has this name.').waitFor();
    expect(refused).to.deep.equal([]);
    expect(test.complaints).to.deep.equal([]);
  });
});
