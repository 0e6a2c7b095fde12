import { expect } from 'chai';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from './support.js';

interface Image {
  readonly headers: string;
  readonly src: string;
}

/** A message with an HTML part and an image beside it. */
const related = ({ headers, src }: Image, partHeaders = '', head = ''): string =>
  rawMail(
    { 'MIME-Version': '1.0', 'Content-Type': 'multipart/related; boundary="b"' },
    [
      ...[
        '--b',
        `Content-Type: text/html; charset=utf-8${partHeaders}`,
        '',
        `${head}<p>pic</p><img src="${src}" alt="p">`,
      ],
      ...['--b', 'Content-Type: image/png; name=l.png', 'Content-Disposition: inline', headers],
      ...['Content-Transfer-Encoding: base64', '', 'iVBORw0KGgo=', '--b--'],
    ].join('\r\n'),
  );

describe('Files of received mail', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  const shown = async (account: TestAccount, raw: string) => {
    const inboundId = await receive(platform, account, raw);
    const { html, attachments } = await account.svc.call('email.inbound.get', { inboundId });
    return { html: html ?? '', attachments };
  };

  it('are shown where the HTML names them, however it writes their Content-ID (RFC 2392)', async () => {
    const account = await platform.account();
    const images: Record<string, Image> = {
      'as it is': { headers: 'Content-ID: <logo@far.example>', src: 'cid:logo@far.example' },
      'an encoded @': { headers: 'Content-ID: <image001.png@01DA2B3C>', src: 'cid:image001.png%4001DA2B3C' },
      'an encoded +': { headers: 'Content-ID: <a+b@far.example>', src: 'cid:a%2Bb@far.example' },
      'an encoded space and quotes': { headers: 'Content-ID: <"a b"@far.example>', src: 'cid:%22a%20b%22@far.example' },
      'the same escapes in both': { headers: 'Content-ID: <a%20b@far.example>', src: 'cid:a%20b@far.example' },
      'an escape that is none': { headers: 'Content-ID: <100%@far.example>', src: 'cid:100%@far.example' },
      'spaces in the brackets': { headers: 'Content-ID:  < logo@far.example > ', src: 'cid:logo@far.example' },
      'no brackets': { headers: 'Content-ID: logo@far.example', src: 'CID:logo@far.example' },
      'brackets in both': { headers: 'Content-ID: <logo@far.example>', src: 'cid:&lt;logo@far.example&gt;' },
    };
    for (const [name, image] of Object.entries(images)) {
      const { html, attachments } = await shown(account, related(image));
      expect(html, name).to.contain(`src="cid:${attachments[0]?.attachmentId}"`);
    }
  });

  it('are shown by their Content-Location (RFC 2557)', async () => {
    const account = await platform.account();
    const cases: Record<string, [image: Image, partHeaders?: string, head?: string]> = {
      'relative addresses': [{ headers: 'Content-Location: image1.png', src: 'image1.png' }],
      'a path': [{ headers: 'Content-Location: /img/a%20b.png', src: '/img/a b.png' }],
      'an absolute address': [
        { headers: 'Content-Location: https://far.example/a.png', src: 'https://far.example/a.png' },
      ],
      'a folded address': [
        { headers: 'Content-Location: https://far.example/long/\r\n a.png', src: 'https://far.example/long/a.png' },
      ],
      'the address of the page': [
        { headers: 'Content-Location: https://far.example/news/a.png', src: 'a.png' },
        '\r\nContent-Location: https://far.example/news/index.html',
      ],
      'a base element': [
        { headers: 'Content-Location: https://far.example/img/a.png', src: 'a.png' },
        '',
        '<base href="https://far.example/img/">',
      ],
      'a cid as location': [{ headers: 'Content-Location: cid:one', src: 'cid:one' }],
    };
    for (const [name, [image, partHeaders, head]] of Object.entries(cases)) {
      const { html, attachments } = await shown(account, related(image, partHeaders, head));
      expect(html, name).to.contain(`src="cid:${attachments[0]?.attachmentId}"`);
    }
  });

  it('are not shown where the HTML names something else', async () => {
    const account = await platform.account();
    const image = {
      headers: 'Content-ID: <logo@far.example>\r\nContent-Location: a.png',
      src: 'cid:other@far.example',
    };
    expect((await shown(account, related(image))).html).to.match(/<img alt="p" ?\/?>/);
    expect((await shown(account, related({ ...image, src: 'b.png' }))).html).to.match(/<img alt="p" ?\/?>/);
    expect((await shown(account, related({ ...image, src: 'https://far.example/a.png' }))).html).to.contain(
      'src="https://far.example/a.png"',
    );
  });

  it('keep the parameters of their types', async () => {
    const account = await platform.account();
    const calendar = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR';
    const single = rawMail({ 'Content-Type': 'text/calendar; method=REQUEST; charset="iso-8859-1"' }, calendar);
    const [invitation] = (await shown(account, single)).attachments;
    expect(invitation?.contentType).to.equal('text/calendar; method=REQUEST; charset=utf-8');
    const table = related({ headers: 'Content-ID: <a>', src: 'cid:a' }).replace(
      'image/png; name=l.png',
      'text/csv; charset=iso-8859-1;\r\n header=present; name="l.csv"',
    );
    const { attachments } = await shown(account, table);
    expect(attachments[0]).to.include({
      contentType: 'text/csv; charset=iso-8859-1; header=present',
      filename: 'l.csv',
    });
  });
});

describe('The addresses of received mail', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  it('are those of the header, however a name is written', async () => {
    const account = await platform.account();
    const cases = {
      'Meyer, Greg <greg@far.example>': 'greg@far.example',
      '"Meyer, Greg" <greg@far.example>': 'greg@far.example',
      'Dr. Meyer, Greg; Berlin <greg@far.example>': 'greg@far.example',
      'greg@far.example (Meyer, Greg (Sales))': 'greg@far.example',
      'Greg Meyer greg@far.example': 'greg@far.example',
      '"Greg <greg@far.example>': 'greg@far.example',
      '"ada@shop.example" <greg@far.example>': 'greg@far.example',
      '=?utf-8?Q?Meyer=2C_Greg?= <greg@far.example>': 'greg@far.example',
      '"boss@shop.example x"@far.example': '"boss@shop.example x"@far.example',
      'Greg <"greg meyer"@far.example>': '"greg meyer"@far.example',
    };
    for (const [From, expected] of Object.entries(cases)) {
      const options = { from: 'bounces+shop@esp.example' };
      const raw = rawMail({ From, To: 'Doe, Jo <jo@far.example>, "a b"@far.example' });
      const inboundId = await receive(platform, account, raw, options);
      const { inbound } = await account.svc.call('email.inbound.get', { inboundId });
      expect(inbound.from, From).to.equal(expected);
      expect(inbound.to, From).to.deep.equal(['jo@far.example', '"a b"@far.example']);
    }
  });

  it('are the envelope’s where the header has none', async () => {
    const account = await platform.account();
    const inboundId = await receive(platform, account, rawMail({ From: 'Meyer, Greg' }), { from: 'greg@esp.example' });
    const { inbound } = await account.svc.call('email.inbound.get', { inboundId });
    expect(inbound.from).to.equal('greg@esp.example');
  });
});
