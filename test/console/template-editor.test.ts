import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

describe('The console, a template that two people edit', function () {
  needProducts('auth', 'email');
  this.timeout(120_000);
  const test = useConsole();
  const { platform } = test;

  it('saves only the languages of a template that were edited, and says if somebody else has saved them too', async () => {
    const account = await platform.account();
    const save = (locales: Record<string, { subject: string; text: string }>) =>
      account.svc.call('email.template.draft.save', { template: 'welcome', locales, defaultLocale: 'en' });
    await save({ en: { subject: 'Hello', text: 'Hi' }, de: { subject: 'Halo', text: 'Hi' } });
    const page = await test.open(account, 'email/template/welcome');
    await page.getByLabel('Subject').fill('Hello!');
    await save({ de: { subject: 'Hallo', text: 'Hi' }, fr: { subject: 'Salut', text: 'Hi' } });
    /** The screen reads again when its tab is shown again. */
    const readUntil = (visible: () => Promise<boolean>, what: string): Promise<void> =>
      eventually(
        async () => {
          await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
          return visible();
        },
        what,
        20_000,
        250,
      );
    await readUntil(() => page.getByRole('tab', { name: 'French' }).isVisible(), 'the language that was added');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').waitFor();
    const { draft } = await account.svc.call('email.template.get', { template: 'welcome' });
    const subjects = Object.entries(draft ?? {}).map(([locale, { subject }]) => [locale, subject]);
    expect(Object.fromEntries(subjects)).to.deep.equal({ en: 'Hello!', de: 'Hallo', fr: 'Salut' });

    await page.getByLabel('Subject').fill('Hello again');
    await save({ en: { subject: 'Good day', text: 'Hi' } });
    const notice = page.getByText('saved another version');
    await readUntil(() => notice.isVisible(), 'the notice');
    expect(await page.getByLabel('Subject').inputValue()).to.equal('Hello again');
  });

  /** Holds the answers of a read back until the result is called. */
  async function holdAnswers(page: Page, read: string): Promise<() => Promise<void>> {
    const state = { held: 0, isOpen: false };
    await page.route(`**/${read}`, async (route) => {
      const response = await route.fetch();
      state.held += 1;
      await eventually(() => state.isOpen, 'the answer');
      await route.fulfill({ response });
    });
    return async () => {
      await eventually(() => state.held > 0, 'a read');
      state.isOpen = true;
    };
  }

  /** A template with an English text, opened in an editor. */
  async function templateEditor(): Promise<{ page: Page; save: (subject: string) => Promise<unknown> }> {
    const account = await platform.account();
    const save = (subject: string) =>
      account.svc.call('email.template.draft.save', {
        template: 'welcome',
        locales: { en: { subject, text: 'Hi' } },
        defaultLocale: 'en',
      });
    await save('Hello');
    return { page: await test.open(account, 'email/template/welcome'), save };
  }

  it('keeps what is typed in the moment in which a saved template is shown', async () => {
    const { page } = await templateEditor();
    await page.getByLabel('Subject').fill('Hello!');
    // Right after the screen has changed, before anything else runs in the page.
    await page.evaluate(`{
      const subject = document.querySelector('[aria-label="Texts"] input.input');
      const state = document.querySelector('[aria-label="Texts"] .right.faint');
      new MutationObserver((_, observer) => {
        if (!state.textContent.startsWith('Saved')) return;
        observer.disconnect();
        window.hasTyped = true;
        subject.value = 'Hello again';
        subject.dispatchEvent(new Event('input', { bubbles: true }));
      }).observe(state, { childList: true, subtree: true, characterData: true });
    }`);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await eventually(() => page.evaluate<boolean>('window.hasTyped === true'), 'the saved template');
    await page.getByText('Not saved yet').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect(test.complaints).to.deep.equal([]);
    expect(await page.getByLabel('Subject').inputValue()).to.equal('Hello again');
  });

  for (const when of ['before', 'after'] as const)
    it(`says if somebody else has saved, when they did so ${when} the read after a save was answered`, async () => {
      const { page, save } = await templateEditor();
      await page.getByLabel('Subject').fill('Hello!');
      const answer = await holdAnswers(page, 'email/template/get');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('Draft saved.').waitFor();
      if (when === 'before') await save('Good day');
      await page.getByLabel('Subject').fill('Hello again');
      if (when === 'after') await save('Good day');
      await answer();
      const notice = page.getByText('saved another version');
      await eventually(
        async () => {
          await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
          return notice.isVisible();
        },
        'the notice',
        20_000,
        250,
      );
      expect(await page.getByLabel('Subject').inputValue()).to.equal('Hello again');
    });
});
