import { expect } from 'chai';
import { blocks } from '#plugins/email/console/visual/blocks.js';
import { useBrowser } from '#test/support/browser.js';
import { usePlatform } from '#test/support/platform.js';

/** How far apart the first two cells with the class are. */
const distance = `(() => {
  const [one, other] = [...document.querySelectorAll('.svc-column')].map((cell) => cell.getBoundingClientRect());
  return { across: other.left - one.left, down: other.top - one.top };
})()`;

describe('The blocks of the visual editor as mail', function () {
  this.timeout(60_000);
  const platform = usePlatform();
  const browser = useBrowser();

  it('are styled by the layout, and columns are below each other on phones', async () => {
    const { svc } = await platform.account();
    const { html } = await svc.call('email.template.preview', {
      content: {
        subject: 'Hi',
        html: blocks.map((block) => block.html.replaceAll('<p></p>', '<p>Text</p>')).join('\n'),
      },
      layout: true,
    });
    expect(html).to.match(/<a class="button"[^>]*inline-block/);
    expect(html).to.match(/<td class="svc-column"[^>]*>\s*<p style="/);
    const page = await browser.open({ viewport: { width: 900, height: 800 } });
    await page.setContent(html);
    const wide = await page.evaluate<{ across: number; down: number }>(distance);
    expect(wide.across).to.be.greaterThan(100);
    expect(wide.down).to.equal(0);
    await page.setViewportSize({ width: 400, height: 800 });
    const phone = await page.evaluate<{ across: number; down: number }>(distance);
    expect(phone.across).to.equal(0);
    expect(phone.down).to.be.greaterThan(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(400);
  });
});
