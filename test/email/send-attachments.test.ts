import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { ReceivedMail } from '#test/support/smtp-receiver.js';
import { publish } from './template/support.js';
import { expectedFields, letter, refusedFields, send, traces, useMail, type RefusedCases } from './support.js';

const mebibyte = 1024 * 1024;
const file = { filename: 'a.txt', contentType: 'text/plain', content: 'YQ==' };

const filesOf = ({
  parsed,
}: ReceivedMail): { name: string | null; type: string; bytes: Buffer; disposition: string | null }[] =>
  parsed.attachments.map(({ filename, mimeType, content, disposition }) => ({
    name: filename,
    type: mimeType,
    disposition,
    bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  }));

describe('email.send: attachments', () => {
  const mail = useMail();
  const { platform } = mail;

  it('carries 10 MiB in total, byte for byte, and not one byte more', async () => {
    const { svc, live } = await platform.account();
    const [big, small] = [randomBytes(10 * mebibyte - 1), Buffer.from([0])];
    const attachments = [
      { filename: 'big.bin', contentType: 'application/octet-stream', content: big.toString('base64') },
      { filename: 'small.bin', contentType: 'application/octet-stream', content: small.toString('base64') },
    ];
    const sent = await send(svc, { attachments });
    expect(sent.attachments.map(({ bytes }) => bytes)).to.deep.equal([10 * mebibyte - 1, 1]);
    const files = filesOf(await mail.mailOf(sent.messageId));
    expect(files.map(({ name, bytes }) => [name, bytes.length])).to.deep.equal([
      ['big.bin', big.length],
      ['small.bin', 1],
    ]);
    expect(files[0]?.bytes.equals(big)).to.equal(true);
    expect(files[1]?.bytes.equals(small)).to.equal(true);
    await platform.settled();
    const before = await traces(platform, live.id);
    const more = [...attachments, { ...file, content: Buffer.from('x').toString('base64') }];
    const refusal = await svc.refusal('email.send', letter({ attachments: more }));
    expect(refusal).to.include({ status: 413, code: 'attachments_too_large' });
    expect(refusal.message).to.contain(String(10 * mebibyte));
    expect(await traces(platform, live.id)).to.deep.equal(before);
    expect(
      await platform.count('email_attachment_part', `LENGTH(data) > ${mebibyte}`),
      'blobs are rows of 1 MiB',
    ).to.equal(0);
  });

  it('delivers each file with its name and type, and shows it in the reply and in email.message.get', async () => {
    const { svc } = await platform.account();
    const attachments = [
      {
        filename: 'Rechnung für “Ada”.pdf',
        contentType: 'application/pdf',
        content: Buffer.from('%PDF-1.7').toString('base64'),
      },
      {
        filename: `${'n'.repeat(251)}.txt`,
        contentType: 'text/plain',
        content: Buffer.from('a\nb\r\nc').toString('base64'),
      },
      { filename: 'empty', contentType: 'application/x-empty', content: '' },
      {
        filename: 'mail.eml',
        contentType: 'message/rfc822',
        content: Buffer.from('Bcc: eve@example.com\r\n\r\nx').toString('base64'),
      },
    ];
    const sent = await send(svc, { attachments });
    const expected = attachments.map(({ filename, contentType, content }) => ({
      filename,
      contentType,
      bytes: Buffer.from(content, 'base64').length,
    }));
    expect(sent.attachments).to.deep.equal(expected);
    const arrived = await mail.mailOf(sent.messageId);
    const files = filesOf(arrived);
    expect(files.map(({ name }) => name)).to.deep.equal(attachments.map(({ filename }) => filename));
    expect(files.map(({ disposition }) => disposition)).to.deep.equal(attachments.map(() => 'attachment'));
    for (const [index, { content }] of attachments.entries())
      expect(files[index]?.bytes.equals(Buffer.from(content, 'base64')), `file ${index}`).to.equal(true);
    expect(arrived.recipients).to.deep.equal(['ada@example.com']);
    const shown = await svc.call('email.message.get', { messageId: sent.messageId });
    expect(shown.attachments).to.deep.equal(expected);
  });

  it('keeps the parameters of their types, as an invitation needs them (RFC 6047)', async () => {
    const { svc } = await platform.account();
    const types = [
      ['invite.ics', 'text/calendar; method=REQUEST; charset=UTF-8', /^text\/calendar; method=REQUEST; charset=UTF-8;/],
      ['rows.csv', 'text/csv;charset=utf-8', /^text\/csv; charset=utf-8;/],
      [
        'data.json',
        'application/vnd.api+json; profile="https://example.com/a;b"',
        /; profile="https:\/\/example\.com\/a;b"/,
      ],
    ] as const;
    const attachments = types.map(([filename, contentType]) => ({ filename, contentType, content: 'YQ==' }));
    await publish(svc, 'invitation', { en: { subject: 'Meeting', html: '<p>Come.</p>' } });
    for (const given of [{ subject: 'Meeting', text: 'Come.' }, { template: 'invitation' }]) {
      const sent = await svc.call('email.send', { to: 'ada@example.com', ...given, attachments });
      expect(sent.attachments.map(({ contentType }) => contentType)).to.deep.equal(types.map(([, type]) => type));
      const { raw } = await mail.mailOf(sent.messageId);
      const unfolded = raw.toString().replaceAll(/\r\n[ \t]+/g, ' ');
      const written = [...unfolded.matchAll(/^Content-Type: (.*)$/gm)].map(([, type = '']) => type.trim());
      for (const [, type, expected] of types)
        expect(
          written.filter((each) => expected.test(each)),
          type,
        ).to.have.length(1);
      const shown = await svc.call('email.message.get', { messageId: sent.messageId });
      expect(shown.attachments.map(({ contentType }) => contentType)).to.deep.equal(types.map(([, type]) => type));
    }
  });

  it('places attachments with a contentId inside the HTML', async () => {
    const { svc } = await platform.account();
    const dot = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');
    const attachments = [
      { filename: 'dot.gif', contentType: 'image/gif', content: dot.toString('base64'), contentId: 'dot@1' },
    ];
    const { messageId } = await send(svc, { html: '<img src="cid:dot@1">', attachments });
    const { parsed } = await mail.mailOf(messageId);
    expect(parsed.attachments).to.have.length(1);
    expect(parsed.attachments[0]).to.include({ contentId: '<dot@1>', disposition: 'inline', mimeType: 'image/gif' });
  });

  it('accepts base64 with and without padding, and names the field that is not base64', async () => {
    const { svc } = await platform.account();
    const good = ['YQ==', 'YQ', 'YWI=', 'YWI', 'YWJj'].map((content) => ({ ...file, content }));
    const sent = await send(svc, { attachments: good });
    expect(sent.attachments.map(({ bytes }) => bytes)).to.deep.equal([1, 1, 2, 2, 3]);
    const bad = [
      'YQ=',
      'YQ===',
      'Y',
      'YR==',
      'YW Jj',
      'YWJj\n',
      'YW-_',
      'data:text/plain;base64,YQ==',
      '=',
      'YQ==YQ==',
      'ÿ',
    ];
    const cases: RefusedCases = bad.map((content) => [
      JSON.stringify(content),
      letter({ attachments: [{ ...file, content }] }),
      'attachments[0].content',
    ]);
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('refuses megabytes of padding quickly', async () => {
    const { svc } = await platform.account();
    const content = `${'='.repeat(8 * mebibyte)}A`;
    const began = Date.now();
    const refusal = await svc.refusal('email.send', letter({ attachments: [{ ...file, content }] }));
    expect(refusal).to.deep.include({ code: 'invalid_input', details: { field: 'attachments[0].content' } });
    expect(Date.now() - began).to.be.lessThan(5_000);
  });

  it('refuses file names with a path, unknown fields, and a 21st file', async () => {
    const { svc } = await platform.account();
    const one = (given: object): unknown => ({ ...letter(), attachments: [{ ...file, ...given }] });
    const cases: RefusedCases = [
      ['a slash', one({ filename: '../etc/passwd' }), 'attachments[0].filename'],
      ['a backslash', one({ filename: 'C:\\boot.ini' }), 'attachments[0].filename'],
      ['no name', one({ filename: '' }), 'attachments[0].filename'],
      ['a long name', one({ filename: 'x'.repeat(256) }), 'attachments[0].filename'],
      ['a parameter without a value', one({ contentType: 'text/plain; name=' }), 'attachments[0].contentType'],
      ['a header in a type', one({ contentType: 'text/plain; a="b\r\nX-Evil: 1"' }), 'attachments[0].contentType'],
      [
        'a type of 256 characters',
        one({ contentType: `text/plain; a=${'b'.repeat(242)}` }),
        'attachments[0].contentType',
      ],
      ['half a type', one({ contentType: 'text' }), 'attachments[0].contentType'],
      ['a bracketed contentId', one({ contentId: '<a>' }), 'attachments[0].contentId'],
      [
        'a contentId twice',
        letter({
          attachments: [
            { ...file, contentId: 'a' },
            { ...file, contentId: 'a' },
          ],
        }),
        'attachments[1].contentId',
      ],
      ['a path', one({ path: '/etc/passwd' }), 'attachments[0].path'],
      ['a link', one({ href: 'http://127.0.0.1/' }), 'attachments[0].href'],
      ['content that is none', one({ content: { path: '/etc/passwd' } }), 'attachments[0].content'],
      ['21 files', letter({ attachments: Array.from({ length: 21 }, () => file) }), 'attachments'],
    ];
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('refuses a body above 16 MiB', async () => {
    const { svc } = await platform.account();
    const refusal = await svc.refusal('email.send', letter({ text: 'x'.repeat(16 * mebibyte) }));
    expect(refusal).to.include({ status: 413, code: 'body_too_large' });
  });
});
