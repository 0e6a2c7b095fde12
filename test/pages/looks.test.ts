import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { preferencesTexts } from '#plugins/audience/pages/preferences/translations.js';
import { subscribeTexts } from '#plugins/audience/pages/subscribe/translations.js';
import { topicOf } from '#test/audience/support.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { address, personWithPage } from './preferences-support.js';

describe('How pages look, in light, dark and on a phone', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const browser = useBrowser();
  beforeEach(() => platform.clock.advance(minutes(11)));

  const open = async (path: string): Promise<Page> => {
    const page = await browser.open({ bypassCSP: true, locale: 'en-GB' });
    await page.goto(new URL(path, platform.running.address).href);
    return page;
  };

  it('the start page, the address of an operation, and one that leads nowhere', async () => {
    await expectGoodLooks(await open('/'), 'start');
    await expectGoodLooks(await open('/clients'), 'clients');
    await expectGoodLooks(await open('/account/get'), 'operation-address');
    await expectGoodLooks(await open('/nothing/here'), 'no-such-address');
  });

  itNeeding('audience')('the preferences of a person, saved, and behind a link that does not work', async () => {
    const { en } = preferencesTexts;
    const { url, suppressed } = await personWithPage(platform, { phone: address.sms });
    const page = await open(url);
    await expectGoodLooks(page, 'preferences');
    await page.getByRole('button', { name: en.save, exact: true }).click();
    await page.getByRole('status').getByText(en.done.saved).waitFor();
    await expectGoodLooks(page, 'preferences-saved');
    await suppressed('email', 'unsubscribe');
    await page.reload();
    await expectGoodLooks(page, 'preferences-unsubscribed');
    await expectGoodLooks(await open('/preferences?token=unknown'), 'preferences-unknown');
  });

  itNeeding('audience', 'email')(
    'the subscribe form: empty, with a mistake, sent, its confirmation, and closed',
    async () => {
      const { en } = subscribeTexts;
      const { svc, projectId } = await platform.account();
      const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
      await svc.call('account.project.update', { projectId, name: long });
      const topic = await topicOf(svc, {
        name: `News of the ${long}`,
        description: 'Once a month.',
        subscribeForm: {},
      });
      const path = new URL(topic.subscribeForm?.url ?? '').pathname;
      const page = await open(path);
      await expectGoodLooks(page, 'subscribe');
      await page.getByLabel(en.email).fill('ada');
      await page.getByLabel(en.firstName).fill('Ada');
      await page.getByRole('button', { name: en.button }).click();
      await page.getByRole('alert').getByText(en.mistakes.email).waitFor();
      expect(await page.getByLabel(en.email).evaluate((field) => field === document.activeElement)).to.equal(true);
      await expectGoodLooks(page, 'subscribe-mistake');
      await page.getByLabel(en.email).fill('ada@example.com');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText(en.done.asked.heading).waitFor();
      await expectGoodLooks(page, 'subscribe-asked');
      await platform.settled();
      await page.goto(new URL('/dev/mailbox', platform.running.address).href);
      await page.getByRole('link', { name: /Please confirm: News of the/ }).click();
      await page.goto(`${page.url()}&view=text`);
      const link = /\/subscribe\/confirm\?token=[\w.-]+/.exec(await page.innerText('body'))?.[0] ?? '';
      await page.goto(new URL(link, platform.running.address).href);
      await expectGoodLooks(page, 'subscribe-confirm');
      await page.getByRole('button', { name: en.confirm.button }).click();
      await page.getByRole('status').getByText(en.done.subscribed.heading).waitFor();
      await expectGoodLooks(page, 'subscribe-done');
      await expectGoodLooks(await open('/subscribe/confirm?token=unknown'), 'subscribe-unknown');
    },
  );

  itNeeding('email')('the mailbox: empty, its list, a message in each view, and a message that is gone', async () => {
    const { svc } = await platform.account();
    await expectGoodLooks(await open('/dev/mailbox'), 'mailbox-empty');
    const html =
      '<!doctype html><html lang="en"><title>Hi</title><h1>Hello</h1><a href="https://example.com">A link</a></html>';
    await svc.call('email.send', { to: 'ada@example.com', subject: 'Hello Ada', text: 'Hello', html });
    await platform.settled();
    const page = await open('/dev/mailbox');
    await expectGoodLooks(page, 'mailbox');
    await page.getByRole('link', { name: /Hello Ada/ }).click();
    for (const view of await page.locator('nav a[href*="view="]').evaluateAll((all) => all.map(String))) {
      await page.goto(view);
      await expectGoodLooks(page, `mailbox-${new URL(view).searchParams.get('view') ?? ''}`);
    }
    await expectGoodLooks(await open('/dev/mailbox?message=none'), 'mailbox-no-message');
  });

  itNeeding('auth')('hosted pages of an environment that does not exist', async () => {
    await expectGoodLooks(await open('/auth/01890a5d-ac96-774b-bcce-b302099a8057/signin'), 'signin-unknown');
  });
});
