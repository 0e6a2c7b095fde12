import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import type { TestAccount } from '#test/support/platform.js';
import { useConsole } from './support.js';

/**
 * If it runs anywhere, the title contains “owned”. It has no dot, because names must not contain web addresses, and not
 * the word, because screens show names in their titles.
 */
const script = "document['title']='ow'+'ned'";
const hostile = `<img src=x onerror="${script}"></td><script>${script}</script>`;

/** One of most things, with a hostile text in each field that takes one. */
async function fill({ svc }: TestAccount): Promise<void> {
  const properties = { note: hostile };
  await svc.call('audience.contact.upsert', {
    email: 'eve@example.com',
    firstName: hostile,
    lastName: hostile,
    properties,
  });
  await svc.call('audience.topic.create', { key: 'news', name: hostile });
  await svc.call('audience.segment.create', {
    name: hostile,
    definition: { all: [{ field: 'properties.note', op: 'eq', value: hostile }] },
  });
  await svc.call('audience.suppression.add', { email: 'mallory@example.com', note: hostile });
  await svc.call('auth.user.create', { email: 'eve@example.com', name: hostile });
  await svc.call('email.domain.add', { domain: 'mail.fern.example' });
  await svc.call('email.template.draft.save', {
    template: 'welcome',
    description: hostile,
    locales: { en: { subject: hostile, html: `<p>${hostile}</p>` } },
  });
  await svc.call('email.send', { to: ['eve@example.com'], subject: hostile, html: `<p>${hostile}</p>`, text: hostile });
  await svc.call('email.automation.create', {
    name: hostile,
    triggerEvent: 'signup.completed',
    steps: [{ type: 'wait', seconds: 60 }],
  });
  await svc.call('sms.send', { to: '+4915112345678', body: hostile });
}

describe('Every screen of the console', function () {
  needProducts('email', 'sms', 'audience', 'auth', 'billing', 'developers');
  this.timeout(240_000);
  const test = useConsole();
  const { platform } = test;

  /** As a link does it: the address changes, and the document stays. */
  async function go(page: Page, href: string): Promise<void> {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(href)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
    await page.locator('main h1').first().waitFor();
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
  }

  it('works for a viewer on a phone in dark mode, whatever people have written', async () => {
    const account = await platform.account();
    await fill(account);
    await platform.settled();
    const email = `viewer-${account.accountId}@example.com`;
    await account.svc.call('account.member.invite', { email, role: 'viewer' });
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.run("UPDATE account_member SET status = 'active', proven_at = created_at WHERE email = ?", [email]);
    });
    const page = await test.open(account, '', { email, bypassCSP: true });
    const addresses = (links: string): Promise<string[]> =>
      page.locator(links).evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
    const screens = await addresses('nav.side .nav a');
    expect(screens).to.have.length.above(35);
    const broken: string[] = [];
    for (const screen of screens) {
      await go(page, screen);
      const [first] = await addresses('main .row-link');
      for (const href of first === undefined ? [screen] : [screen, first]) {
        const name = href.split('/').slice(3).join('/');
        await go(page, href);
        await expectGoodLooks(page, `every ${name.replaceAll('/', ' ')}`, ['phone-dark']);
        if ((await page.title()).includes('owned')) broken.push(`${name} runs what people wrote`);
        const refused = page.locator('main [role=alert]', { hasText: /· request / });
        if ((await refused.count()) > 0) broken.push(`${name}: ${await refused.first().innerText()}`);
      }
    }
    expect(broken).to.deep.equal([]);
    // The frame of a mail's preview may report that it refused to run the mail's scripts.
    const others = test.complaints.filter((each) => !/Blocked script execution in '\S+\/console\/preview'/.test(each));
    expect(others).to.deep.equal([]);
  });
});
