import { writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { listMailbox, mailboxFolder } from '#plugins/email/mailbox/store.js';
import { mailboxTransport } from '#plugins/email/mailbox/transport.js';
import { mailboxPage } from '#plugins/email/pages/mailbox/page.js';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { pageRequest } from './support.js';

const hostileHtml =
  '<style>p { color: red }</style><p style="font-size: 20px">Hi <a href="https://shop.example/track?a=1&amp;b=2">track</a></p>' +
  '<img src="cid:dot"><img src="https://evil.example/pixel.png"><script>top.location = "https://evil.example"</script>' +
  '<iframe src="https://evil.example"></iframe><form action="https://evil.example"><a href="javascript:alert(1)">x</a></form>';
const part = (type: string, body: string, more = ''): string =>
  `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;
const raw = Buffer.from(
  'From: "Acme <b>" <hello@acme.mail.localhost>\r\nTo: ada@example.com\r\nSubject: <script>alert(1)</script> & "markup"\r\n' +
    'X-Tag: </pre><script>x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n' +
    part('text/plain; charset=utf-8', '<b>plain</b> http://127.0.0.1:1/invite?token=t.') +
    part('text/html; charset=utf-8', hostileHtml) +
    part(
      'image/png',
      'iVBORw0KGgo=',
      'Content-ID: <dot>\r\nContent-Disposition: inline; filename=dot.png\r\nContent-Transfer-Encoding: base64\r\n',
    ) +
    part('text/html', '<script>alert(2)</script>', `Content-Disposition: attachment; filename="ev\\"il; x.html"\r\n`) +
    '--b--\r\n',
);

interface Seen {
  status: number;
  headers: Headers;
  body: string;
}

describe('the mailbox page', () => {
  needProducts('email');
  const platform = usePlatform();
  const parts = { id: '' };
  before(async () => {
    const folder = mailboxFolder(platform.running.services.deployment);
    await mailboxTransport(folder).deliver({
      envelopeFrom: 'bounce@acme.mail.localhost',
      recipients: ['ada@example.com', 'hidden@example.com'],
      raw,
    });
    parts.id = (await listMailbox(folder, { limit: 1 }))[0]?.id ?? '';
  });

  const visit = async (query: string, headers: Record<string, string> = {}): Promise<Seen> => {
    const answer = await fetch(`${platform.running.address}/dev/mailbox${query}`, { headers });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  const policyOf = ({ headers }: Seen): string => headers.get('content-security-policy') ?? '';

  it('lists the newest first, as text', async () => {
    const { svc } = await platform.account();
    await svc.call('email.send', { to: 'sam@example.com', subject: 'Sent for real', text: 'Hi' });
    await platform.settled();
    const seen = await visit('');
    expect(seen.status).to.equal(200);
    expect(seen.body.indexOf('Sent for real')).to.be.greaterThan(0).and.lessThan(seen.body.indexOf(parts.id));
    expect(seen.body).to.contain('<bdi>&lt;script>alert(1)&lt;/script> &amp; &quot;markup&quot;</bdi>');
    expect(seen.body).to.contain(
      '<bdi>ada@example.com</bdi> <span class="bcc">bcc <bdi>hidden@example.com</bdi></span>',
    );
    expect(seen.body.match(/<script/g), 'the script of the page').to.have.length(1);
    expect(policyOf(seen))
      .to.contain("default-src 'none'")
      .and.contain('img-src data:;')
      .and.contain("frame-src 'self'")
      .and.contain("connect-src 'self'")
      .and.match(/script-src 'nonce-[^' ]+'/);
    expect(seen.headers.get('cache-control')).to.equal('no-store');
  });

  it('pages through the messages', async () => {
    const folder = mailboxFolder(platform.running.services.deployment);
    for (let n = 0; n < 51; n += 1)
      await mailboxTransport(folder).deliver({
        envelopeFrom: '',
        recipients: ['a@b.example'],
        raw: Buffer.from(`Subject: number ${n}\r\n\r\n`),
      });
    const first = await visit('');
    expect(first.body)
      .to.contain('number 50')
      .and.contain('number 1<')
      .and.not.contain('number 0<')
      .and.not.contain('Newest messages');
    const older = /href="(\?before=[^"]+)">Older/.exec(first.body)?.[1] ?? '';
    const second = await visit(older);
    expect(second.body)
      .to.contain('number 0<')
      .and.contain(parts.id)
      .and.contain('Newest messages')
      .and.not.contain('Older messages');
    expect((await visit('?before=0')).body).to.contain('No older mail');
  });

  it('shows a message with its HTML first, its people, and bcc apart', async () => {
    const seen = await visit(`?message=${parts.id}`);
    expect(seen.status).to.equal(200);
    expect(seen.body)
      .to.contain('<bdi>Acme &lt;b> &lt;hello@acme.mail.localhost></bdi>')
      .and.contain('<dt>To</dt><dd><bdi>ada@example.com</bdi></dd>')
      .and.contain('<dt>Bcc</dt><dd><bdi>hidden@example.com</bdi></dd>');
    expect(seen.body).to.contain(
      `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" src="?message=${parts.id}&amp;html=1"`,
    );
    expect(seen.body).to.contain(`view=html" aria-current="page">HTML</a>`);
    expect(seen.body)
      .to.not.contain('<script')
      .and.not.match(/src="https?:|@import|url\(/);
  });

  it('shows text, links, headers and source each in a view of its own, as text', async () => {
    const view = (name: string): Promise<Seen> => visit(`?message=${parts.id}&view=${name}`);
    expect((await view('text')).body)
      .to.contain('&lt;b>plain&lt;/b>')
      .and.contain('<a href="http://127.0.0.1:1/invite?token=t" target="_blank" rel="noopener noreferrer">');
    const links = await view('links');
    expect(links.body)
      .to.contain('Links (2)')
      .and.contain('href="https://shop.example/track?a=1&amp;b=2"')
      .and.contain('href="http://127.0.0.1:1/invite?token=t"')
      .and.not.contain('href="javascript:');
    expect((await view('headers')).body)
      .to.contain('X-Tag: &lt;/pre>&lt;script>x')
      .and.contain('from &lt;bounce@acme.mail.localhost> to &lt;ada@example.com>, &lt;hidden@example.com>');
    expect((await view('source')).body).to.contain('&lt;iframe src=&quot;https://evil.example&quot;>');
    for (const name of ['text', 'links', 'headers', 'source', 'unknown'])
      expect((await view(name)).body, name).to.not.contain('<script');
  });

  it('shows the HTML part in a frame that runs no script and loads nothing', async () => {
    const seen = await visit(`?message=${parts.id}&html=1`);
    expect(policyOf(seen)).to.equal(
      'sandbox allow-popups allow-popups-to-escape-sandbox; ' +
        "default-src 'none'; form-action 'none'; base-uri 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    );
    expect(seen.body)
      .to.contain('<style>p { color: red }</style>')
      .and.contain('src="data:image/png;base64,iVBORw0KGgo="');
    expect(seen.headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('offers attachments for download, and the source to read', async () => {
    const html = await visit(`?message=${parts.id}&attachment=1`);
    expect(html.headers.get('content-type')).to.equal('application/octet-stream');
    expect(html.headers.get('content-disposition')).to.equal(
      `attachment; filename="ev_il_ x.html"; filename*=UTF-8''ev%22il%3B%20x.html`,
    );
    expect(html.body.trim()).to.equal('<script>alert(2)</script>');
    const source = await visit(`?message=${parts.id}&raw=1`);
    expect(source.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(policyOf(source)).to.contain('sandbox;');
    expect(source.body).to.equal(raw.toString());
    for (const index of ['2', '-1', '1e0', '', '0x0', '__proto__', '99999']) {
      expect((await visit(`?message=${parts.id}&attachment=${index}`)).status, index).to.equal(404);
    }
  });

  it('serves no file outside its folder', async () => {
    const { stateDir } = platform.running.services.deployment.settings;
    await writeFile(join(stateDir, 'secret.eml'), 'X-Svc-Envelope: {}\r\nSubject: canary\r\n\r\n');
    for (const id of [
      '../secret',
      '..%2Fsecret',
      '%2e%2e/secret',
      `${parts.id}%00`,
      `${parts.id}/../../secret`,
      '',
      `${stateDir}/secret`,
    ]) {
      const seen = await visit(`?message=${id}&raw=1`);
      expect(seen.status, id).to.equal(404);
      expect(seen.body).to.not.contain('canary');
    }
  });

  it('is hidden from requests that came through a proxy', async () => {
    for (const header of [
      'Forwarded',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'X-Real-IP',
      'Via',
    ]) {
      const seen = await visit(`?message=${parts.id}`, { [header]: '127.0.0.1' });
      expect(seen.status, header).to.equal(404);
      expect(seen.body).to.not.contain('markup');
    }
  });

  it('is hidden when the host is not loopback', async () => {
    const statusFor = (host: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(platform.running.address);
        httpRequest({ hostname, port, path: '/dev/mailbox', headers: { Host: host } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
    for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080', 'svc.localhost'])
      expect(await statusFor(host), host).to.equal(200);
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '10.0.0.1'])
      expect(await statusFor(host), host).to.equal(404);
  });

  it('is hidden in production and from other machines', async () => {
    const { services } = platform.running;
    const request = (ip: string): PageRequest =>
      pageRequest({ path: '/dev/mailbox', request: { requestId: 'x', ip, userAgent: null, origin: null } });
    const production: Services = { ...services, deployment: { ...services.deployment, production: true } };
    expect((await mailboxPage.answer(request('127.0.0.1'), production)).status).to.equal(404);
    for (const [ip, status] of [
      ['127.0.0.1', 200],
      ['::1', 200],
      ['10.0.0.5', 404],
      ['127.0.0.1.2', 404],
      ['unknown', 404],
    ] as const) {
      expect((await mailboxPage.answer(request(ip), services)).status, ip).to.equal(status);
    }
  });
});

describe('the mailbox page with a configured mail server', () => {
  needProducts('email');
  const platform = usePlatform({ settings: () => ({ SVC_SMTP_URL: 'smtp://127.0.0.1:9' }) });

  it('is off, and says why', async () => {
    const answer = await fetch(`${platform.running.address}/dev/mailbox`);
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.contain('SVC_SMTP_URL');
  });
});
