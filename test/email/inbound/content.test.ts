import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { inboundSecret, rawMail, receive } from './support.js';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('The content of received mail', () => {
  const platform = usePlatform({ settings: () => ({ SVC_INBOUND_SECRET: inboundSecret }) });

  async function shownOf(raw: Buffer | string) {
    const account = await platform.account();
    const inboundId = await receive(platform, account, raw);
    const shown = await account.svc.call('email.inbound.get', { inboundId });
    return {
      ...shown,
      text: shown.text?.trim(),
      files: shown.attachments.map(({ filename, contentType, bytes }) => [filename, contentType, bytes]),
    };
  }

  const parts = ['--b1', 'Content-Type: text/plain; charset=utf-8', '', 'Hello', '--b1'];
  const file = ['Content-Type: text/csv; name=a.csv', 'Content-Disposition: attachment', '', 'a,b', '--b1--'];
  const twoParts = [...parts, ...file].join('\r\n');

  it('is found where the boundary is missing, never occurs, or is not indented', async () => {
    for (const type of [
      'multipart/mixed',
      'multipart/mixed; boundary=""',
      'multipart/mixed; boundary="other"',
      'multipart/mixed;\r\nboundary="b1"',
      'multipart/mixed;\r\n\tboundary=b1',
    ]) {
      const { text, files } = await shownOf(rawMail({ 'MIME-Version': '1.0', 'Content-Type': type }, twoParts));
      expect([text, files], type).to.deep.equal(['Hello', [['a.csv', 'text/csv', 4]]]);
    }
  });

  it('is found where no empty line ends the headers, and inside of another part', async () => {
    const headers = rawMail({ 'Content-Type': 'multipart/mixed; boundary=b1' }, '').trimEnd();
    expect(await shownOf(`${headers}\r\n${twoParts}\r\n`)).to.deep.include({ text: 'Hello' });
    const outer = `--o\r\nContent-Type: multipart/mixed\r\n\r\n${twoParts}\r\n--o--`;
    const nested = await shownOf(rawMail({ 'Content-Type': 'multipart/mixed; boundary=o' }, outer));
    expect([nested.text, nested.files]).to.deep.equal(['Hello', [['a.csv', 'text/csv', 4]]]);
  });

  it('ends with the closing boundary, with or without a line end after it', async () => {
    for (const end of ['', '\r\n', '\r\nAn epilogue.']) {
      const raw = `${rawMail({ 'Content-Type': 'multipart/mixed; boundary=b1' }, [...parts, '', 'Bye', '--b1--'].join('\r\n')).trimEnd()}${end}`;
      expect(await shownOf(raw), end).to.deep.include({ text: 'Hello\n\nBye', files: [] });
    }
  });

  it('is shown as text where nothing can be taken apart', async () => {
    const { text } = await shownOf(rawMail({ 'Content-Type': 'multipart/alternative' }, 'No part at all.'));
    expect(text).to.equal('No part at all.');
  });

  it('is decoded by its label, whatever the label is called', async () => {
    const cases: [label: string, body: Buffer, text: string][] = [
      ['windows-1252', latin('It\x92s \x93ok\x94 \x96 \x80 5\x85'), 'It’s “ok” – € 5…'],
      ['"iso-8859-1"', latin('\x93ok\x94 \x80'), '“ok” €'],
      ['cp850', latin('\x81\xe1'), 'üß'],
      ['IBM437', latin('\x81\xe1'), 'üß'],
      ['latin-9', latin('\xa4'), '€'],
      ['utf-7', latin('Gr+APwA3w-e'), 'Grüße'],
      ['iso-2022-kr', latin('\x1b$)C\x0e0!\x0f ok'), '가 ok'],
      ['iso-2022-jp-ms', latin('\x1b$B%F%9%H\x1b(B ok'), 'テスト ok'],
      ['x-sjis', latin('\x83e\x83X\x83g'), 'テスト'],
      ['us-ascii', Buffer.from('Grüße'), 'Grüße'],
      ['us-ascii', latin('\x1b$B%F%9%H\x1b(B'), 'テスト'],
      ["'utf-8'", Buffer.from('Grüße'), 'Grüße'],
      ['default', Buffer.from('Grüße'), 'Grüße'],
      ['iso-2022-jp', Buffer.from('テスト'), 'テスト'],
      ['utf-8', latin('Gr\xfc\xdfe'), 'Grüße'],
      ['hex', latin('Gr\xfc\xdfe'), 'Grüße'],
      ['x-nobody-knows', latin('Gr\xfc\xdfe \x81'), 'Grüße \x81'],
    ];
    for (const [label, body, expected] of cases) {
      const headers = latin(rawMail({ 'Content-Type': `text/plain; charset=${label}` }, '').trimEnd());
      const raw = Buffer.concat([headers, latin('\r\n\r\n'), body, latin('\r\n')]);
      expect((await shownOf(raw)).text, label).to.equal(expected);
    }
  });

  it('is decoded without a label too', async () => {
    const headersOf = (type: string) => latin(`${rawMail({ 'Content-Type': type }, '').trimEnd()}\r\n\r\n`);
    const plain = async (body: Buffer) => (await shownOf(Buffer.concat([headersOf('text/plain'), body]))).text;
    expect(await plain(latin('\x1b$B%F%9%H\x1b(B ok'))).to.equal('テスト ok');
    expect(await plain(Buffer.from('Grüße'))).to.equal('Grüße');
    expect(await plain(latin('Gr\xfc\xdfe'))).to.equal('Grüße');
    const page = latin('<html><head><meta charset="windows-1251"></head><body>\xcf\xf0\xe8</body></html>');
    expect((await shownOf(Buffer.concat([headersOf('text/html'), page]))).html?.trim()).to.equal('При');
  });

  it('has headers in any charset', async () => {
    const subjects: [written: string, subject: string][] = [
      ['=?cp850?Q?Gr=81=E1e?=', 'Grüße'],
      ['=?windows-1252?Q?It=92s_=80?=', 'It’s €'],
      ['=?utf-8?B?w7w=?= =?iso-2022-jp?B?GyRCJUYbKEI=?=', 'üテ'],
      ['=?utf-8?Q?=C3?=\r\n =?utf-8?Q?=BC?=', 'ü'],
      ['Gr\xfc\xdfe', 'Grüße'],
    ];
    for (const [written, subject] of subjects)
      expect((await shownOf(latin(rawMail({ Subject: written })))).inbound.subject).to.equal(subject);
  });

  it('shows the headers that say how it was encoded as they arrived', async () => {
    const headers = { 'Content-Type': 'text/plain; charset=cp850', 'Content-Transfer-Encoding': 'quoted-printable' };
    const shown = await shownOf(rawMail(headers, 'Gr=81=E1e'));
    expect([shown.text, shown.headers['content-type'], shown.headers['content-transfer-encoding']]).to.deep.equal([
      'Grüße',
      'text/plain; charset=cp850',
      'quoted-printable',
    ]);
  });

  it('ends with the padding of base64, without the footer of a list', async () => {
    const encoded = { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Transfer-Encoding': 'base64' };
    const footer = '_______\r\nlist mailing list\r\n';
    expect((await shownOf(rawMail(encoded, `SGVsbG8g\r\nd29ybGQ=\r\n--\r\nfooter\r\n`))).text).to.equal('Hello world');
    expect((await shownOf(rawMail(encoded, `QUJD\r\n${footer}`))).text).to.equal('ABC');
    expect((await shownOf(rawMail(encoded, 'SGU=\r\nbGxv\r\n'))).text).to.equal('Hello');
  });

  it('is decoded from uuencode', async () => {
    const uu = ['--b1', 'Content-Type: application/octet-stream; name=a.txt', 'Content-Transfer-Encoding: x-uuencode'];
    const body = [...parts.slice(0, 4), ...uu, '', 'begin 644 a.txt', '%2&5L;&\\', '`', 'end', '--b1--'].join('\r\n');
    const { files } = await shownOf(rawMail({ 'Content-Type': 'multipart/mixed; boundary=b1' }, body));
    expect(files).to.deep.equal([['a.txt', 'application/octet-stream', 5]]);
  });

  it('keeps the backgrounds of light text, and hides what mail programs hide', async () => {
    const htmlOf = async (markup: string): Promise<string> =>
      (await shownOf(rawMail({ 'Content-Type': 'text/html' }, markup))).html?.trim() ?? '';
    expect(await htmlOf('<p style="background:#111;color:#fff">a</p>')).to.equal(
      '<p style="background:#111;color:#fff">a</p>',
    );
    for (const [background, kept] of [
      ['background:#111 url(https://x.example/a.png) no-repeat', 'background-color:#111'],
      ['background:url("data:image/png;base64,AA==") center / cover rgb(1, 2, 3)', 'background-color:rgb(1, 2, 3)'],
      ['BACKGROUND: black url(x.png)', 'background-color:black'],
      ['background-image:linear-gradient(90deg, #222, #333)', 'background-color:#222'],
    ] as const)
      expect(await htmlOf(`<p style='${background};color:#fff'>a</p>`)).to.equal(`<p style="${kept};color:#fff">a</p>`);
    expect(await htmlOf('<p style="background:url(https://x.example/a.png)">a</p>')).not.to.contain('x.example');
    expect(await htmlOf('<html><body bgcolor="#000000" text="white" onload="x()"><p>a</p></body></html>')).to.equal(
      '<div style="background-color:#000000;color:white"><p>a</p></div>',
    );
    expect(await htmlOf('<html><body class="x"><p>a</p></body></html>')).to.equal('<p>a</p>');
    const preheader = '<div style="max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">a</div>';
    expect(await htmlOf(preheader)).to.equal(preheader);
    expect(await htmlOf('<p hidden>a</p><span style="visibility:hidden">b</span>')).to.equal(
      '<p style="display:none">a</p><span style="visibility:hidden">b</span>',
    );
  });
});
