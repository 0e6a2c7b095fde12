import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { pastedFromWord } from './letters.js';
import { useConsole, type OpenOptions } from './support.js';

describe('The console, the visual editor', function () {
  needProducts('auth', 'email');
  this.timeout(120_000);
  const test = useConsole();
  const { platform } = test;

  /** What the page reported, except what the frame of the preview did not run and load. */
  const complaints = (): string[] => test.complaints.filter((text) => !/\/console\/preview|img-src data:/.test(text));

  const shown = (page: Page) => page.getByRole('textbox', { name: 'Email in English' });

  it('makes a newsletter from nothing, without a word of HTML', async () => {
    const account = await platform.account();
    const page = await test.open(account, 'email/template');
    await page.getByRole('button', { name: 'Create template' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('november');
    await page.getByRole('dialog').getByRole('button', { name: 'Create template' }).click();
    await shown(page).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.getByLabel('Kind of text').selectOption('Heading 1');
    await page.keyboard.type('November & frost');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Dear {{ contact.firstName }}, the ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('first');
    await page.keyboard.press('Control+b');
    await page.keyboard.type(' frost came.');
    await page.getByRole('group', { name: 'Insert' }).getByRole('button', { name: 'Picture' }).click();
    await page.getByLabel('Address of the picture').fill('https://fern.example/frost.jpg');
    await page.getByLabel('Description').fill('A frosty fern');
    await page.getByRole('group', { name: 'Insert' }).getByRole('button', { name: 'Button' }).click();
    expect(await page.getByText('“Read more” has no address').isVisible()).to.equal(true);
    await page.getByLabel('Address that the button opens').fill('https://fern.example/offers');
    await page.getByLabel('Subject').fill('The frost');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').waitFor();
    const { draft } = await account.svc.call('email.template.get', { template: 'november' });
    expect(draft?.['en']?.html).to.equal(
      [
        '<h1>November &amp; frost</h1>',
        '<p>Dear {{ contact.firstName }}, the <strong>first</strong> frost came.</p>',
        '<p><img src="https://fern.example/frost.jpg" alt="A frosty fern" style="max-width:100%"></p>',
        '<p><a class="button" href="https://fern.example/offers">Read more</a></p>\n',
      ].join('\n'),
    );
    expect(complaints()).to.deep.equal([]);
  });

  /** ProseMirror shows its own selection 20 ms after it gets the focus. This ends after that, on the same clock. */
  const focused = (page: Page): Promise<unknown> => page.evaluate('new Promise((done) => setTimeout(done, 20))');

  const letter = [
    '<h1>Hello</h1>',
    '<p style="color:red">Dear  {{ contact.firstName | default: "friend" }},<br>',
    'see <a class=x href="https://fern.example">our shop</a>.</p>',
    '{% if contact.city == "London" %}',
    '<p>See you at Kew.</p>',
    '{% else %}<p>Come by.</p>{% endif %}',
    '<table role="presentation"><tr><td><p>Left</p></td><td><p>Right</p></td></tr></table>',
    '<ul><li>One</li><li>Two</li></ul>',
    '<svg><script>window.hasRun = true</script></svg>',
    '<img src=x onerror="window.hasRun = true">',
    '',
  ].join('\n');

  /** A template with the letter, open in the editor. */
  async function open(html = letter, options: OpenOptions = {}) {
    const account = await platform.account();
    await account.svc.call('email.template.draft.save', {
      template: 'letter',
      locales: { en: { subject: 'Hello', html } },
      defaultLocale: 'en',
    });
    const page = await test.open(account, 'email/template/letter', options);
    await shown(page).waitFor();
    const saved = async (): Promise<string> => {
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('Draft saved.').first().waitFor();
      const { draft } = await account.svc.call('email.template.get', { template: 'letter' });
      return draft?.['en']?.html ?? '';
    };
    return { page, saved };
  }

  it('writes only what was edited, and says in words what Liquid does', async () => {
    const { page, saved } = await open();
    for (const words of ['First name, or “friend”', 'Only to contacts where city is London', 'Otherwise', 'Own HTML'])
      await shown(page).getByText(words, { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'HTML', exact: true }).click();
    await page.getByRole('tab', { name: 'Visual', exact: true }).click();
    // Nothing was edited, so nothing can be saved.
    await page.getByText('Saved', { exact: false }).first().waitFor();
    expect(await page.getByText('Not saved yet').count()).to.equal(0);
    await shown(page).getByText('See you at Kew.').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' <Now>');
    expect(await saved()).to.equal(letter.replace('at Kew.', 'at Kew. &lt;Now&gt;'));
    expect(await page.evaluate('window.hasRun')).to.equal(undefined);
    expect(complaints()).to.deep.equal([]);
  });

  it('is used by keyboard alone: blocks, links, variables, conditions, order, undo', async () => {
    const { page, saved } = await open('<p>First</p>\n<p>Last</p>\n');
    await shown(page).focus();
    await focused(page);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Insert a block' }).waitFor();
    await page.keyboard.type('quo');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.type('Said ');
    await page.keyboard.press('Control+Shift+v');
    await page.getByRole('dialog').getByLabel('If there is none, write').fill('somebody');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.type(' here: ');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Address').fill('https://fern.example/?a=1&b=2');
    await page.getByRole('dialog').getByLabel('Text of the link').fill('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The text, then the quote around it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+ArrowUp');
    await page.keyboard.press('Control+d');
    await page.keyboard.press('Control+z');
    expect(await saved()).to.equal(
      [
        '<p>First</p>',
        '<blockquote><p>Said {{ contact.email | default: "somebody" }} here: <a href="https://fern.example/?a=1&amp;b=2">shop</a></p></blockquote>',
        '<p>Last</p>',
        '',
      ].join('\n'),
    );
    expect(complaints()).to.deep.equal([]);
  });

  it('moves the caret to the start at once after a dialog', async () => {
    const { page, saved } = await open('<p>First</p>\n<p>Last</p>\n');
    await shown(page).focus();
    await focused(page);
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Address').fill('https://fern.example/');
    await page.getByRole('dialog').getByLabel('Text of the link').fill('shop');
    await page.getByRole('dialog').getByRole('button', { name: 'Set link' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('Now: ');
    expect(await saved()).to.equal('<p>Now: First</p>\n<p>Last<a href="https://fern.example/">shop</a></p>\n');
  });

  it('pastes from Word and Google Docs without their styles', async () => {
    const { page, saved } = await open('<p>Start</p>');
    await shown(page).focus();
    await focused(page);
    await page.keyboard.press('Control+End');
    await page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/html', ${JSON.stringify(pastedFromWord)});
      document.querySelector('.ProseMirror').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }`);
    expect(await saved()).to.equal(
      '<p>StartDear <strong>Ada</strong></p>\n<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\n<p>See <a href="https://fern.example">us</a></p>',
    );
    expect(await page.evaluate('window.hasRun')).to.equal(undefined);
    expect(complaints()).to.deep.equal([]);
  });

  it('keeps a block for other emails', async () => {
    const { page, saved } = await open('<p>First</p>\n<p class="small">Your <b>team</b></p>');
    await shown(page).getByText('team').click();
    await page.getByRole('button', { name: 'Save this block' }).click();
    await page.getByRole('dialog').getByLabel('Name of the block').fill('Signature of the team');
    await page.keyboard.press('Enter');
    await page.getByText('Block saved.').waitFor();
    await shown(page).getByText('First').click();
    await page.getByLabel('Insert a saved block').selectOption('Signature of the team');
    await shown(page).getByText('team').nth(1).waitFor();
    const signature = '<p class="small">Your <b>team</b></p>';
    expect(await saved()).to.equal(`<p>First</p>\n${signature}\n${signature}`);
    expect(complaints()).to.deep.equal([]);
  });

  it('looks good and is accessible', async () => {
    const { page } = await open(letter, { bypassCSP: true });
    await shown(page).getByText('First name, or “friend”').click();
    await page.getByLabel('Without a value for “First name”, write').waitFor();
    await expectGoodLooks(page, 'visual-editor');
    await page.getByRole('button', { name: 'Keys' }).click();
    await expectGoodLooks(page, 'visual-editor-keys', ['light', 'phone-dark']);
  });
});
