import { expect } from 'chai';
import { idsIn, mailboxFolder } from '#plugins/email/mailbox/store.js';
import { mailboxTransport } from '#plugins/email/mailbox/transport.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

const mebibyte = 1024 * 1024;

/*
 * The sizes are chosen so that work that grows with the square of the message takes many minutes: a slow machine does
 * not fail these tests.
 */
describe('the mailbox page with hostile messages', function () {
  this.timeout(60_000);
  needProducts('email');
  const platform = usePlatform();

  /** Stores a message as it would have been sent, and returns the address of its page. */
  const stored = async (raw: string): Promise<string> => {
    const folder = mailboxFolder(platform.running.services.deployment);
    await mailboxTransport(folder).deliver({
      envelopeFrom: '',
      recipients: ['ada@example.com'],
      raw: Buffer.from(raw),
    });
    return `${platform.running.address}/dev/mailbox?message=${(await idsIn(folder))[0] ?? ''}`;
  };
  const seen = async (address: string): Promise<string> => (await fetch(address)).text();

  it('shows links in time proportional to the text', async () => {
    const brackets = ')'.repeat(2_000_000);
    const text = `https://shop.example/a${brackets}b http://shop.example/c${brackets} `;
    const hrefs = ' href='.repeat(200_000) + ` href="${'a'.repeat(100_000)}"` + ' href="https://shop.example/d"';
    const part = (type: string, body: string): string => `--b\r\nContent-Type: text/${type}\r\n\r\n${body}\r\n`;
    const body = part('plain', text) + part('html', `<a${hrefs}>${'<'.repeat(1_000_000)}`);
    const page = await stored(`Subject: s\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${body}--b--\r\n`);
    const links = await seen(`${page}&view=links`);
    expect(links).to.contain('Links (2)').and.contain('https://shop.example/d').and.contain('http://shop.example/c"');
    expect(await seen(`${page}&view=text`)).to.contain('href="http://shop.example/c"');
    expect(await seen(`${page}&html=1`)).to.contain('shop.example/d');
    expect(await seen(page.replace(/\?message=.*/, '?q=shop.example'))).to.contain('?message=');
  });

  it('shows no more than a hundred links', async () => {
    const links = Array.from({ length: 100_000 }, (_, index) => `http://shop.example/${index}`).join(' ');
    expect(await seen(`${await stored(`Subject: s\r\n\r\n${links}\r\n`)}&view=text`)).to.contain('Links (100)');
  });

  it('repeats an image only up to 32 MiB', async () => {
    const image = Buffer.alloc(mebibyte, 1).toString('base64').replace(/.{76}/g, '$&\r\n');
    const raw =
      'Subject: s\r\nContent-Type: multipart/related; boundary=b\r\n\r\n' +
      `--b\r\nContent-Type: text/html\r\n\r\n${'<img src="cid:dot">\r\n'.repeat(300)}\r\n` +
      `--b\r\nContent-Type: image/png\r\nContent-ID: <dot>\r\nContent-Transfer-Encoding: base64\r\n\r\n${image}\r\n--b--\r\n`;
    const document = await seen(`${await stored(raw)}&html=1`);
    expect(document.length).to.be.within(30 * mebibyte, 33 * mebibyte);
    expect(document).to.contain('src="cid:dot"');
  });

  it('searches the first 400 lines of each message', async () => {
    const lines = Array.from({ length: 500 }, (_, line) => `line-${line}.`).join('\r\n');
    const page = await stored(`Subject: s\r\n\r\n${lines}`);
    const search = (words: string): Promise<string> => seen(page.replace(/\?message=.*/, `?q=${words}`));
    expect(await search('line-399.')).to.contain('?message=');
    expect(await search('line-400.')).to.contain('Nothing found');
  });

  it('shows a message with millions of lines by its headers and source', async () => {
    const page = await stored(`Subject: so many lines\r\n\r\n${'\r\n'.repeat(2_000_000)}`);
    const body = await seen(page);
    expect(body).to.contain('so many lines').and.contain('Source</a>').and.not.contain('Text</a>');
    expect(await seen(`${page}&view=source`)).to.contain('The first 512 KiB are shown here.');
  });
});
