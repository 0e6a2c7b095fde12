import { expect } from 'chai';
import type { Page as BrowserPage } from 'playwright-core';
import { contrast } from '#core/surfaces/pages/colour.js';
import { preferencesTexts } from '#plugins/audience/pages/preferences/translations.js';
import { themeWith } from '#test/account/theme/theme-with.js';
import type { InputOf } from '#test/support/api.js';
import { useBrowser } from '#test/support/browser.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { address, personWithPage } from './preferences-support.js';

const { en } = preferencesTexts;

/** Converts `rgb(255, 0, 0)` to `#ff0000`. */
const hex = (colour: string): string =>
  `#${(colour.match(/\d+/g) ?? [])
    .slice(0, 3)
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')}`;

describe('the preferences page in a browser', () => {
  needProducts('audience');
  const platform = usePlatform();
  beforeEach(() => platform.clock.advance(minutes(11)));
  const person = (facts: InputOf<'audience.contact.upsert'> = {}) => personWithPage(platform, facts);

  for (const javaScriptEnabled of [true, false])
    describe(`${javaScriptEnabled ? 'with' : 'without'} JavaScript`, () => {
      const browser = useBrowser();
      const open = async (url: string, options = {}): Promise<BrowserPage> => {
        const page = await browser.open({ javaScriptEnabled, locale: 'en-GB', ...options });
        await page.goto(url);
        return page;
      };
      const button = (page: BrowserPage, name: string) => page.getByRole('button', { name, exact: true });

      it('saves the choices, confirms it, and shows them when reloaded', async () => {
        const { url, kept } = await person({ phone: address.sms });
        const page = await open(url);
        const email = page.getByRole('group', { name: en.channels.email.legend });
        expect(await email.getByRole('checkbox', { name: 'Newsletter' }).isChecked()).to.equal(true);
        await email.getByText('Newsletter').click();
        await page
          .getByRole('group', { name: en.channels.sms.legend })
          .getByRole('checkbox', { name: 'Offers' })
          .check();
        await button(page, en.save).click();
        await page.getByRole('status').getByText(en.done.saved).waitFor();
        expect(await page.title()).to.match(/^Your choices have been saved\. · /);
        expect(await email.getByRole('checkbox', { name: 'Newsletter' }).isChecked()).to.equal(false);
        expect(await kept()).to.deep.equal({ 'email news': 'revoked', 'sms offers': 'granted' });
        await page.reload();
        expect(await kept()).to.deep.equal({ 'email news': 'revoked', 'sms offers': 'granted' });
      });

      it('unsubscribes from the topic of the message with one click', async () => {
        const { url, kept } = await person();
        const page = await open(url);
        await button(page, 'Unsubscribe from Newsletter').click();
        await page.getByRole('status').getByText('You’ve unsubscribed from Newsletter.').waitFor();
        expect(await button(page, 'Unsubscribe from Newsletter').count()).to.equal(0);
        expect(await kept()).to.deep.equal({ 'email news': 'revoked' });
      });

      it('unsubscribes from each channel or from everything, and resubscribes', async () => {
        const { url, svc, contact } = await person({ phone: address.sms });
        const ended = async (): Promise<string[]> =>
          (await svc.call('audience.contact.get', { contactId: contact.id })).suppressions.map(
            ({ channel }) => channel,
          );
        const page = await open(url);
        await button(page, en.channels.sms.unsubscribe).click();
        await page.getByText(en.channels.sms.reasons.unsubscribe).waitFor();
        expect(await ended()).to.deep.equal(['sms']);
        await button(page, en.channels.sms.allow).click();
        await page.getByRole('status').getByText(en.done.allowed).waitFor();
        expect(await ended()).to.deep.equal([]);
        await button(page, en.unsubscribeAll.button).click();
        await page.getByText(en.channels.email.reasons.unsubscribe).waitFor();
        expect((await ended()).toSorted()).to.deep.equal(['email', 'sms']);
        expect(await page.getByRole('heading', { name: en.unsubscribeAll.heading }).count()).to.equal(0);
        await page
          .getByRole('group', { name: en.channels.email.legend })
          .getByRole('checkbox', { name: 'Offers' })
          .check();
        await button(page, en.save).click();
        await page.getByRole('status').getByText(en.done.saved).waitFor();
        expect(await ended()).to.deep.equal(['sms']);
      });

      it('can be used with the keyboard alone', async () => {
        const { url, kept } = await person();
        const page = await open(url);
        // In page order: the button that leaves the message’s topic, the two checkboxes, the save button.
        for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab');
        await page.keyboard.press('Space');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('status').getByText(en.done.saved).waitFor();
        expect(await kept()).to.deep.equal({ 'email news': 'granted', 'email offers': 'granted' });
        // The focus moves to the confirmation.
        expect(await page.getByRole('status').and(page.locator(':focus')).count()).to.equal(1);
      });
    });

  describe('accessibility', () => {
    const browser = useBrowser();

    it('labels every control, nests headings correctly, and has touch targets of 44 pixels', async () => {
      const one = await person({ phone: address.sms });
      await one.suppressed('sms', 'unsubscribe');
      const page = await browser.open({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
      await page.goto(one.url);
      const found = await page.evaluate(() => {
        const targets = [...document.querySelectorAll('button, label.choice')];
        const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
        const referred = [...document.querySelectorAll('[aria-labelledby], [aria-describedby], [form]')].flatMap(
          (each) =>
            ['aria-labelledby', 'aria-describedby', 'form'].flatMap((name) =>
              (each.getAttribute(name) ?? '').split(' ').filter(Boolean),
            ),
        );
        return {
          small: targets
            .filter((each) => each.getBoundingClientRect().height < 44)
            .map(({ textContent }) => textContent),
          headings: [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => tagName).join(' '),
          twice: ids.filter((id, index) => ids.indexOf(id) !== index),
          missing: referred.filter((id) => !ids.includes(id)),
          ungrouped: document.querySelectorAll('input[type=checkbox]:not(fieldset *)').length,
          sideways: document.documentElement.scrollWidth > document.documentElement.clientWidth,
          moving: document.getAnimations().length,
          landmarks: ['header', 'main', 'footer'].map((name) => document.querySelectorAll(name).length),
        };
      });
      expect(found).to.deep.equal({
        small: [],
        headings: 'H1 H2 H2 H2 H2',
        twice: [],
        missing: [],
        ungrouped: 0,
        sideways: false,
        moving: 0,
        landmarks: [1, 1, 1],
      });
      for (const each of await page.getByRole('checkbox').all())
        expect(
          await page
            .getByRole('checkbox', { name: /^(Newsletter|Offers)$/ })
            .and(each)
            .count(),
        ).to.equal(1);
    });

    it('keeps text readable in light and dark mode with the environment’s theme', async () => {
      const one = await person({ phone: address.sms });
      await one.suppressed('email', 'bounce');
      const theme = themeWith({
        colors: { primary: '#7a1f5c', link: '#7a1f5c', background: '#fff8ee', surface: '#ffffff' },
      });
      await one.svc.call('account.theme.draft.save', { theme });
      await one.svc.call('account.theme.publish', {});
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await browser.open({ colorScheme, locale: 'en-GB' });
        await page.goto(one.url);
        const seen = await page.evaluate(() =>
          [...document.querySelectorAll('h1, h2, p, button, .name, .about, .address, .brand')].map((each) => {
            const grounds: string[] = [];
            for (let at: Element | null = each; at; at = at.parentElement)
              grounds.push(getComputedStyle(at).backgroundColor);
            return { text: each.textContent.slice(0, 30), colour: getComputedStyle(each).color, grounds };
          }),
        );
        const pairs = seen.map(({ text, colour, grounds }) => ({
          text,
          colour: hex(colour),
          ground: hex(grounds.find((ground) => ground !== 'rgba(0, 0, 0, 0)') ?? 'rgb(255, 255, 255)'),
        }));
        expect(pairs.length).to.be.greaterThan(10);
        expect(
          new Set(pairs.map(({ ground }) => ground)).has(colorScheme === 'light' ? '#fff8ee' : '#ffffff'),
        ).to.equal(colorScheme === 'light');
        expect(
          pairs.filter(({ colour, ground }) => contrast(colour, ground) < 4.5),
          colorScheme,
        ).to.deep.equal([]);
        // Browsers draw their own boxes in grey, which in dark mode looks disabled.
        const box = await page
          .getByRole('checkbox', { checked: false })
          .first()
          .evaluate((each) => {
            const { backgroundColor, borderTopColor } = getComputedStyle(each);
            return { ground: backgroundColor, border: borderTopColor };
          });
        const card = await page
          .locator('.card')
          .first()
          .evaluate((each) => getComputedStyle(each).backgroundColor);
        expect(box.ground, colorScheme).to.equal(card);
        expect(contrast(hex(box.border), hex(card)), colorScheme).to.be.at.least(3);
      }
    });

    it('fits a narrow screen, even with long names', async () => {
      const one = await person();
      const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
      await one.svc.call('account.project.update', { projectId: one.projectId, name: long });
      await one.svc.call('audience.topic.update', { topic: 'news', name: long });
      for (const width of [320, 390, 1200]) {
        const page = await browser.open({ viewport: { width, height: 800 }, locale: 'de-DE' });
        await page.goto(one.url);
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          `${width}`,
        ).to.equal(0);
      }
    });
  });
});
