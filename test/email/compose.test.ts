import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import PostalMime, { decodeWords, type Attachment, type Email } from 'postal-mime';
import {
  composeMessage,
  MessageUnsendable,
  messageComposer,
  type Composable,
} from '#plugins/email/delivery/compose.js';

const plain: Composable = {
  messageId: '0198f2a0-0000-7000-8000-000000000001',
  messageIdDomain: 'acme.mail.localhost',
  date: new Date('2026-02-03T04:05:06Z'),
  from: { name: 'Acme, "Ltd"', address: 'hello@acme.mail.localhost' },
  to: ['ann@example.com'],
  cc: [],
  replyTo: [],
  names: {},
  subject: 'Hello',
  text: 'Hi there.\n',
  html: null,
  headers: {},
  attachments: [],
};

const png = { filename: 'logo.png', contentType: 'image/png', contentId: 'logo', content: Buffer.from('not really') };

const compose = async (changes: Partial<Composable> = {}): Promise<{ raw: Buffer; text: string; parsed: Email }> => {
  const raw = await composeMessage({ ...plain, ...changes });
  return { raw, text: raw.toString('latin1'), parsed: await PostalMime.parse(raw) };
};

const refusalOf = async (changes: Partial<Composable>): Promise<unknown> => {
  try {
    await composeMessage({ ...plain, ...changes });
    return null;
  } catch (error) {
    return error;
  }
};

const headersOf = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n'));
const bytesOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content));

/** Checks every line against RFC 5322 2.1.1 and RFC 5321 2.3.8. */
const expectSoundLines = (text: string): void => {
  expect(text).not.to.match(/\r(?!\n)|(?<!\r)\n|\0/);
  for (const line of text.split('\r\n')) expect(line.length).to.be.at.most(998);
};

describe('email composition', () => {
  it('writes the requested headers and no others', async () => {
    const { text, parsed } = await compose({
      cc: ['carl@example.com'],
      replyTo: ['help@example.com'],
      headers: { 'X-Campaign': 'spring', 'List-Unsubscribe': '<https://example.com/u>' },
    });
    const names = parsed.headers.map(({ key }) => key).sort();
    expect(names).to.deep.equal(
      [
        ...['cc', 'content-transfer-encoding', 'content-type', 'date', 'from', 'list-unsubscribe', 'message-id'],
        ...['mime-version', 'reply-to', 'subject', 'to', 'x-campaign', 'x-svc-message-id'],
      ].sort(),
    );
    expect(parsed.messageId).to.equal(`<${plain.messageId}@acme.mail.localhost>`);
    expect(text).to.contain(`${plain.messageId}\r\n`);
    expect(text).to.contain('Date: Tue, 03 Feb 2026 04:05:06 +0000\r\n');
    expect(parsed.from).to.deep.equal({ name: 'Acme, "Ltd"', address: 'hello@acme.mail.localhost' });
    expect(parsed.cc).to.deep.equal([{ name: '', address: 'carl@example.com' }]);
    expect(parsed.replyTo).to.deep.equal([{ name: '', address: 'help@example.com' }]);
    expect(parsed.text).to.equal('Hi there.\n');
  });

  it('composes the same octets for the same message, with every kind of part', async () => {
    const whole: Partial<Composable> = {
      text: 'Grüße\n',
      html: '<img src="cid:logo">',
      attachments: [png, { ...png, filename: 'b.csv', contentType: 'text/csv', contentId: null }],
    };
    const [first, second] = [await compose(whole), await compose(whole)];
    expect(first.raw.equals(second.raw)).to.equal(true);
    const other = await compose({ ...whole, messageId: '0198f2a0-0000-7000-8000-000000000002' });
    const boundary = /=_svc-[0-9a-f]{32}/;
    expect(boundary.exec(other.text)?.[0]).not.to.equal(boundary.exec(first.text)?.[0]);
  });

  it('puts text and HTML into alternatives, relates inline images to the HTML and attaches the rest', async () => {
    const name = 'Übersicht "März", final; 日本.csv';
    const { text, parsed } = await compose({
      html: '<p>Grüße <img src="cid:logo"></p>',
      attachments: [
        png,
        { filename: name, contentType: 'text/csv; charset=utf-8', contentId: null, content: Buffer.from('a;b') },
      ],
    });
    for (const kind of ['mixed', 'alternative', 'related']) expect(text).to.contain(`multipart/${kind}`);
    expect(parsed.text?.trim()).to.equal('Hi there.');
    expect(parsed.html).to.contain('Grüße');
    const seen = parsed.attachments.map(({ filename, disposition, contentId = null }) => ({
      filename,
      disposition,
      contentId,
    }));
    expect(seen).to.deep.equal([
      { filename: 'logo.png', disposition: 'inline', contentId: '<logo>' },
      { filename: name, disposition: 'attachment', contentId: null },
    ]);
    expectSoundLines(text);
  });

  it('carries 10 MiB unchanged', async () => {
    const content = Buffer.alloc(10 * 1024 * 1024, createHash('sha512').update('seed').digest());
    const { text, parsed } = await compose({ attachments: [{ ...png, contentId: null, content }] });
    expect(parsed.attachments.map((part) => bytesOf(part).equals(content))).to.deep.equal([true]);
    expect(text).not.to.match(/[^\r\n]{999}/);
  });

  it('keeps every line valid, whatever the bodies contain', async () => {
    const boundary = /=_svc-[0-9a-f]{32}-Part_1/.exec((await compose({ html: 'x' })).text)?.[0] ?? 'none';
    const bodies = [
      'a\rb\nc\r\nd\n\r',
      '.\n..\n.\r\n',
      'x'.repeat(5000),
      '日本語'.repeat(2000),
      '\u0000\u0007',
      `--${boundary}--\nafter`,
      '',
    ];
    for (const body of bodies) {
      const { text, parsed } = await compose({ text: body, html: `<pre>${body}</pre>` });
      expectSoundLines(text);
      // Parsers differ on whether the last line's end belongs to the boundary (RFC 2046 5.1.1), so it is not compared.
      const lines = body.replace(/\r\n?/g, '\n').trimEnd();
      expect(parsed.text?.trimEnd() ?? '', JSON.stringify(body.slice(0, 20))).to.equal(lines);
      expect(parsed.html ?? '').to.contain(lines);
      expect(parsed.attachments).to.deep.equal([]);
    }
  });

  it('writes every text so that it is read as it was, in lines that every server takes', async () => {
    const bodies = [
      'Hi.',
      'Hi.\r\n',
      'a b \r\n\tc\t\r\n',
      'Grüße =_svc '.repeat(200),
      '日本語'.repeat(900),
      '🎉 party '.repeat(300),
      'x'.repeat(5000),
      `${'x'.repeat(76)}\r\n${'y'.repeat(77)}\r\n${'z = '.repeat(40)}`,
      '.\r\n..\r\n.',
      'a\u0000b\u007f',
    ];
    for (const text of bodies)
      for (const html of [null, `<p>${text}</p>\r\n`]) {
        const { text: raw, parsed } = await compose({ text, html });
        expect(raw).to.match(/^[\t\r\n -~]*$/);
        expect(raw.split('\r\n').every((line) => line.length <= 78)).to.equal(true);
        const read = (body: string | undefined): string | undefined => body?.replaceAll('\r\n', '\n').trimEnd();
        expect(read(parsed.text)).to.equal(read(text));
        if (html !== null) expect(read(parsed.html)).to.equal(read(html));
      }
  });

  it('writes headers as nodemailer does', async () => {
    const addresses = ['ann@example.com', '"a..b"@example.com', "o'hara@example.com", 'x@xn--mller-kva.example'];
    const names = ['', 'Acme', 'Acme, "Ltd"', 'Müller', '日本語', 'a'.repeat(90)];
    const subjects = ['Hello', 'ab '.repeat(60), 'Grüße '.repeat(30), 'a'.repeat(200), '🎉'.repeat(300)];
    for (const name of names)
      for (const subject of subjects) {
        const displayNames = Object.fromEntries(addresses.map((address) => [address, name]));
        const headers = {
          'X-PM-Tag': name.replaceAll('"', '') || 'none',
          'List-Help': `<https://example.com/${'a'.repeat(90)}>`,
        };
        const { text } = await compose({ to: addresses, replyTo: addresses, names: displayNames, subject, headers });
        const boxes = addresses.map((address) => ({ name, address }));
        const { messageId, messageIdDomain, from, date } = plain;
        const root = new MailComposer({
          from: { name: from.name ?? '', address: from.address },
          to: boxes,
          replyTo: boxes.map((each) => ({ ...each })),
          subject,
          messageId: `<${messageId}@${messageIdDomain}>`,
          date,
          text: plain.text ?? '',
          headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
        }).compile();
        root.setHeader('X-Svc-Message-Id', messageId);
        expect(headersOf(text)).to.equal(root.buildHeaders());
      }
  });

  it('folds long subjects and headers within the line length', async () => {
    for (const subject of ['a'.repeat(998), '🎉'.repeat(998), 'ab '.repeat(332), '=?utf-8?Q?=0D=0ABcc:_x?=']) {
      const { text, parsed } = await compose({
        subject,
        headers: { 'X-Long': 'b'.repeat(997), 'X-Wide': 'ü'.repeat(499) },
      });
      expectSoundLines(text);
      expect(parsed.subject).to.equal(subject.trim());
      expect(parsed.headers.find(({ key }) => key === 'x-long')?.value).to.equal('b'.repeat(997));
    }
  });

  it('leaves no line of only spaces when it folds a header', async () => {
    const gap = `a${' '.repeat(300)}b`;
    for (const attachments of [[], [png]]) {
      const { text, parsed } = await compose({ subject: gap, headers: { 'X-Gap': gap }, attachments });
      expect(text.split('\r\n\r\n')[0]).not.to.match(/^ +$/m);
      expect(parsed.subject).to.equal(gap);
      const value = parsed.headers.find(({ key }) => key === 'x-gap')?.value ?? '';
      expect(decodeWords(value)).to.equal(gap);
    }
  });

  it('sends multipart and message files as application/octet-stream, because base64 is forbidden for them', async () => {
    const content = Buffer.from('From: x\r\n\r\n--y\r\n\0');
    for (const contentType of ['message/rfc822', 'multipart/mixed; boundary=y', 'Message/Delivery-Status']) {
      const { parsed } = await compose({ attachments: [{ ...png, contentId: null, contentType, content }] });
      expect(parsed.attachments.map(({ mimeType }) => mimeType)).to.deep.equal(['application/octet-stream']);
      expect(parsed.attachments.map((part) => bytesOf(part).equals(content))).to.deep.equal([true]);
    }
  });

  it('does not let callers replace the header with our message id', async () => {
    expect(await refusalOf({ headers: { 'x-svc-message-id': 'mine' } })).to.be.instanceOf(MessageUnsendable);
  });
});

describe('email composition: hostile input', () => {
  const inject = 'x\r\nBcc: eve@example.com';
  const hostile: Record<string, Partial<Composable>> = {
    'a line break in the subject': { subject: inject },
    'a bare CR in the subject': { subject: 'a\rb' },
    'a line break hidden in the sender name': { from: { ...plain.from, name: '=?utf-8?Q?a=0D=0Ab?=' } },
    'a line break in the sender name': { from: { ...plain.from, name: inject } },
    'a line break in the sender': { from: { name: null, address: `a@x.example${inject}` } },
    'a line break in a recipient': { to: [`a@x.example\r\nBcc: eve@example.com`] },
    'a line break in cc': { cc: ['a@x.example\nBcc: eve@example.com'] },
    'a line break in reply-to': { replyTo: ['a@x.example\rBcc: eve@example.com'] },
    'a gap in a list header that cannot be encoded': { headers: { 'List-Id': `a${' '.repeat(300)}b` } },
    'a line break in a header': { headers: { 'X-A': inject } },
    'a line break in a header name': { headers: { 'X-A: b\r\nBcc': 'eve@example.com' } },
    'a header that is not theirs': { headers: { Bcc: 'eve@example.com' } },
    'a line break in the message id': { messageId: inject },
    'a message id that closes its brackets': { messageId: 'a>' },
    'a line break in the message id domain': { messageIdDomain: `x.example${inject}` },
    'no date': { date: new Date(Number.NaN) },
    'a line break in a file name': { attachments: [{ ...png, filename: inject }] },
    'a line break in a content type': { attachments: [{ ...png, contentType: `image/png\r\nX-Evil: 1` }] },
    'no content type': { attachments: [{ ...png, contentType: 'png' }] },
    'a line break in a content id': { attachments: [{ ...png, contentId: inject }] },
    'a content id that closes its brackets': { attachments: [{ ...png, contentId: 'a>b' }] },
    'two recipients in one': { to: ['a@x.example, b@y.example'] },
    'a group': { to: ['team: b@y.example;'] },
    'a named recipient': { to: ['Ann <ann@example.com>'] },
  };
  for (const [what, changes] of Object.entries(hostile)) {
    it(`refuses ${what}`, async () => expect(await refusalOf(changes)).to.be.instanceOf(MessageUnsendable));
  }

  it('shows special characters in names unchanged, and adds no recipient', async () => {
    const name = 'Eve" <eve@example.com>, =?x?= (y); z:';
    const { text, parsed } = await compose({ from: { name, address: plain.from.address } });
    expect(parsed.from).to.deep.equal({ name, address: plain.from.address });
    expect(headersOf(text).match(/^(?:From|To|Cc|Bcc):/gm)).to.deep.equal(['From:', 'To:']);
  });

  it('reads no file and fetches no URL, whatever else an attachment or a body carries', async () => {
    const secret = readFileSync(fileURLToPath(import.meta.url))
      .toString('base64')
      .slice(0, 40);
    const path = fileURLToPath(import.meta.url);
    const sneaky = {
      ...png,
      path,
      href: 'http://127.0.0.1:9/',
      raw: { path },
      encoding: 'hex',
      headers: { Bcc: 'eve@example.com' },
    };
    const { text, parsed } = await compose({ attachments: [sneaky] });
    expect(text).not.to.contain(secret);
    expect(text).not.to.contain('eve@example.com');
    expect(parsed.attachments.map((part) => bytesOf(part).toString())).to.deep.equal(['not really']);

    for (const field of ['text', 'html']) {
      const message = { ...plain };
      Reflect.set(message, field, { path });
      expect(await refusalOf(message), field).to.be.instanceOf(Error);
    }
    const message = { ...plain, attachments: [{ ...png }] };
    Reflect.set(message.attachments[0] ?? {}, 'content', { path });
    expect(await refusalOf(message)).to.be.instanceOf(MessageUnsendable);
  });
});

describe('email composition: many messages with common headers', () => {
  const texts = [
    { text: 'Hi there.\n', html: null },
    { text: null, html: '<p>Grüße, 世界 =_svc</p>' },
    { text: `Zeile ${'lang '.repeat(40)}\n.\n..\r\n`, html: `<p>${'x'.repeat(2_000)}</p>\r<br>` },
  ];
  const subjects = ['Hello', 'Grüße an José', '=?utf-8?q?x?=', 'word '.repeat(60).trim(), 'Hello'];
  const senders = [
    { name: 'Acme, "Ltd"', address: 'hello@acme.mail.localhost' },
    { name: null, address: 'HELLO@Acme.mail.localhost' },
  ];
  const headers = [
    {},
    { 'List-Unsubscribe': `<https://svc.example/preferences?token=${'t'.repeat(150)}>` },
    { 'X-PM-Metadata-svc': 'ä', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  ];

  it('gives the same octets as composing each of them', async () => {
    for (const from of senders) {
      for (const replyTo of [[], ['answers@acme.example']]) {
        const { messageIdDomain, date } = plain;
        const write = messageComposer({ messageIdDomain, date, from, replyTo });
        for (const [index, subject] of subjects.entries()) {
          for (const each of texts) {
            for (const own of headers) {
              const to = index === 1 ? 'o’neil+x@example.com'.replace('’', '.') : 'ann@Example.com';
              const messageId = `0198f2a0-0000-7000-8000-00000000000${index}`;
              const changes = { ...plain, from, replyTo, messageId, subject, ...each, headers: own };
              const written = write({ messageId, to, subject, ...each, headers: own });
              expect(written).to.equal((await composeMessage({ ...changes, to: [to] })).toString('latin1'));
            }
          }
        }
      }
    }
  });

  it('refuses what composing one refuses', () => {
    const { messageIdDomain, date, from } = plain;
    const write = messageComposer({ messageIdDomain, date, from, replyTo: [] });
    const own = {
      messageId: plain.messageId,
      to: 'ann@example.com',
      subject: 'Hi',
      text: 'Hi',
      html: null,
      headers: {},
    };
    for (const wrong of [
      { to: 'a@x, b@y' },
      { subject: 'a\r\nBcc: b@y' },
      { messageId: 'a b' },
      { headers: { 'X-A': 'a\nb' } },
    ])
      expect(() => write({ ...own, ...wrong }), JSON.stringify(wrong)).to.throw(MessageUnsendable);
  });
});
