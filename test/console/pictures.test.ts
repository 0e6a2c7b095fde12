import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { addMember } from '#test/account/support.js';
import { expectGoodLooks } from '#test/support/page-looks.js';
import { needProducts } from '#test/support/products.js';
import { useConsole } from './support.js';

const hostile = '<img src=x onerror="document.title=1">{{ x }}';

/** A picture as a camera makes it, made by the browser. */
async function photo(page: Page, width: number, height: number, type: string): Promise<Buffer> {
  const base64 = await page.evaluate(
    `(() => {
      const canvas = document.createElement('canvas');
      canvas.width = ${width};
      canvas.height = ${height};
      const context = canvas.getContext('2d');
      const image = context.createImageData(canvas.width, canvas.height);
      for (let at = 0; at < image.data.length; at += 1) image.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
      context.putImageData(image, 0, 0);
      return canvas.toDataURL('${type}', 1).split(',')[1];
    })()`,
  );
  return Buffer.from(String(base64), 'base64');
}

describe('The console, pictures of templates', function () {
  needProducts('email');
  this.timeout(180_000);
  const test = useConsole();
  const { platform } = test;

  async function withTemplate() {
    const account = await platform.account();
    await account.svc.call('email.template.draft.save', {
      template: 'november',
      locales: { en: { subject: 'The frost', html: '<p>Hello</p>' } },
    });
    return account;
  }

  it('adds a picture by file, drop and paste, makes it smaller, and inserts it with its description', async () => {
    const account = await withTemplate();
    const page = await test.open(account, 'email/template/november', { bypassCSP: true });
    const insert = page.getByRole('button', { name: 'Insert picture' });
    await page.getByRole('tab', { name: 'HTML', exact: true }).click();
    await page.getByRole('textbox', { name: /^HTML in English/ }).waitFor();
    await insert.first().click();
    const dialog = page.getByRole('dialog', { name: 'Insert picture' });
    const file = dialog.locator('input[type=file]');
    const jpeg = await photo(page, 2400, 1200, 'image/jpeg');
    await file.setInputFiles({ name: `Frost ${hostile}.jpeg`, mimeType: 'image/jpeg', buffer: jpeg });
    await dialog.getByText('1200 × 600').waitFor();
    // By the clipboard, as a screen shot comes; then something that is not a picture.
    const png = (await photo(page, 300, 100, 'image/png')).toString('base64');
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob('${png}'), (each) => each.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
      document.querySelector('.pictures').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await dialog.getByText('300 × 100').waitFor();
    await file.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await dialog.getByText('“a.svg” is not a JPEG, PNG, GIF or WebP picture.').waitFor();
    await file.setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: deflateSync('x') });
    await dialog.getByText('“b.png” cannot be read').waitFor();

    await page.waitForFunction(
      '[...document.querySelectorAll(".picture-list img")].filter((each) => each.naturalWidth > 0).length === 2',
    );
    const { images } = await account.svc.call('email.template.get', { template: 'november' });
    expect(images.map(({ width }) => width)).to.deep.equal([300, 1200]);
    const [, frost] = images;
    expect(frost?.bytes).to.be.lessThan(jpeg.length);
    await dialog.getByRole('radio').nth(1).check();
    const submit = dialog.getByRole('button', { name: /^Insert picture/ });
    expect(await submit.getAttribute('aria-disabled')).to.equal('true');
    await dialog.getByLabel('Description', { exact: true }).fill(`A "rose" ${hostile}`);
    await expectGoodLooks(page, 'pictures');
    await page.setViewportSize({ width: 1360, height: 850 });
    await dialog.getByLabel('Description', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').waitFor();
    const { draft } = await account.svc.call('email.template.get', { template: 'november' });
    const html = draft?.['en']?.html ?? '';
    expect(html)
      .to.contain(`src="${frost?.url ?? ''}"`)
      .and.to.contain('width="600"');
    expect(html).to.contain('alt="A &quot;rose&quot; &lt;img').and.to.not.contain('{{');

    // A decoration, by the keyboard alone.
    await insert.first().focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('radio').first().focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel(/only decoration/).focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('button', { name: /^Insert picture/ }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').first().waitFor();
    expect(await page.title()).to.not.equal('1');
    expect(test.complaints.filter((line) => !line.includes('console/preview'))).to.deep.equal([]);
  });

  it('inserts a picture as a block of the visual editor', async () => {
    const account = await withTemplate();
    const page = await test.open(account, 'email/template/november', { bypassCSP: true });
    await page.getByRole('textbox', { name: 'Email in English' }).waitFor();
    await page.getByRole('button', { name: 'Insert picture' }).click();
    const dialog = page.getByRole('dialog', { name: 'Insert picture' });
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'frost.png', mimeType: 'image/png', buffer: await photo(page, 300, 100, 'image/png') });
    await dialog.getByRole('radio').first().check();
    await dialog.getByLabel('Description', { exact: true }).fill('Frost');
    await dialog.getByLabel('Description', { exact: true }).press('Enter');
    await page.locator('.v-picture').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved.').waitFor();
    const { draft, images } = await account.svc.call('email.template.get', { template: 'november' });
    const html = draft?.['en']?.html ?? '';
    expect(html).to.contain(`<p><img src="${images[0]?.url ?? ''}" alt="Frost"`);
    expect(test.complaints.filter((line) => !line.includes('console/preview'))).to.deep.equal([]);
  });

  it('shows a viewer the pictures, and lets them add none', async () => {
    const account = await withTemplate();
    const { email } = await addMember(platform, account, { role: 'viewer' });
    const page = await test.open(account, 'email/template/november', { email });
    await page.getByRole('tab', { name: 'HTML', exact: true }).click();
    await page.getByRole('button', { name: 'Insert picture' }).click();
    expect(await page.getByRole('dialog').locator('input[type=file]').isDisabled()).to.equal(true);
    await page.getByRole('dialog').getByText('email:write').waitFor();
    expect(test.complaints.filter((line) => !line.includes('console/preview'))).to.deep.equal([]);
  });
});
