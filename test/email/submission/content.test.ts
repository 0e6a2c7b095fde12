import { expect } from 'chai';
import { createTransport } from 'nodemailer';
import { ownDomain } from '#test/email/inbound/support.js';
import type { TestAccount } from '#test/support/platform.js';
import { publish } from '../template/support.js';
import { suppress, useMail } from '../support.js';
import { submissionPort, submissionSettings, submit, type Program } from './support.js';

const crlf = (lines: readonly string[]): string => lines.join('\r\n');

describe('The content of SMTP submission', () => {
  const mail = useMail({ settings: submissionSettings });
  const { platform } = mail;
  const programOf = ({ keys }: TestAccount): Program => ({ port: submissionPort(platform), key: keys.live.secret });
  const sender = async (account: TestAccount): Promise<string> => `shop@${await ownDomain(account)}`;
  const raw = (program: Program, to: string | string[], lines: readonly string[]) =>
    submit(program, { envelope: { from: 'shop@example.com', to }, raw: crlf(lines) });

  it('is sent byte for byte if email.send cannot express it, with svc’s headers', async () => {
    const account = await platform.account();
    const entity = [
      'Content-Type: multipart/signed; micalg=pgp-sha256;',
      ' protocol="application/pgp-signature"; boundary=s',
      'MIME-Version: 1.0',
    ];
    const body = [
      '',
      '--s',
      'Content-Type: text/plain; charset=iso-8859-1',
      '',
      'Signed  text, with trailing space ',
      '.',
      '--s',
      'Content-Type: application/pgp-signature',
      '',
      '-----BEGIN PGP SIGNATURE-----',
      '--s--',
      '',
    ];
    const { messageIds, code } = await raw(
      programOf(account),
      ['ada@example.com', 'cy@example.com'],
      [
        `From: ${await sender(account)}`,
        'To: Ada <ada@example.com>',
        'Bcc: cy@example.com',
        'Subject: Signed',
        'Message-ID: <signed@shop.example>',
        'X-Svc-Tags: {"order": "A-1024"}',
        'X-Mailer: shop',
        'Received: from somewhere',
        ...entity,
        ...body,
      ],
    );
    expect(code).to.equal(250);
    const [messageId = ''] = messageIds;
    const { raw: sent, parsed } = await mail.mailOf(messageId);
    const text = sent.toString('latin1');
    expect(text.endsWith(crlf([...entity, ...body]))).to.equal(true);
    expect(text).not.to.match(/cy@example|X-Svc-Tags|Received: from somewhere/);
    expect(parsed.messageId).to.equal('<signed@shop.example>');
    expect(parsed.headers.find(({ key }) => key === 'x-mailer')?.value).to.equal('shop');
    const got = await account.svc.call('email.message.get', { messageId });
    expect(got.message.tags).to.deep.equal({ order: 'A-1024' });
    expect(got.content?.text).to.contain('Signed');
  });

  it('keeps invitations, reports, nested messages and mail without a text as they were', async () => {
    const account = await platform.account();
    const from = await sender(account);
    const parts = [
      ['multipart/alternative', 'text/calendar; method=REQUEST', 'BEGIN:VCALENDAR'],
      ['multipart/report', 'message/delivery-status', 'Final-Recipient: rfc822;x@example.com'],
      ['multipart/mixed', 'message/rfc822', 'Subject: inside\r\n\r\nHello'],
    ] as const;
    for (const [whole, type, content] of parts) {
      const body = [
        '--b',
        'Content-Type: text/plain',
        '',
        'Hello',
        '--b',
        `Content-Type: ${type}`,
        '',
        content,
        '--b--',
      ];
      const { messageIds, text } = await raw(programOf(account), 'ada@example.com', [
        `From: ${from}`,
        'To: ada@example.com',
        'Subject: As it was',
        `Content-Type: ${whole}; boundary=b`,
        '',
        ...body,
      ]);
      expect(messageIds, text).to.have.length(1);
      const { raw: sent } = await mail.mailOf(messageIds[0] ?? '');
      expect(sent.toString().trimEnd().endsWith(crlf(body)), whole).to.equal(true);
    }
    const scan = await submit(programOf(account), {
      from,
      to: 'ada@example.com',
      attachments: [{ filename: 'scan.pdf', content: 'PDF' }],
    });
    const { parsed } = await mail.mailOf(scan.messageIds[0] ?? '');
    expect([parsed.subject, parsed.attachments.map(({ filename }) => filename)]).to.deep.equal([
      '(no subject)',
      ['scan.pdf'],
    ]);
  });

  it('uses the headers of svc, and sends none of them', async () => {
    const account = await platform.account();
    const { svc } = account;
    await publish(svc, 'receipt', { en: { subject: 'Order {{ number }}', html: '<p>No. {{ number }}</p>' } });
    const from = await sender(account);
    const templated = await submit(programOf(account), {
      from,
      to: 'ada@example.com',
      text: 'ignored',
      headers: {
        'X-Svc-Template': 'receipt',
        'X-Svc-Variables': JSON.stringify({ number: 'A-1024 für Zoë' }),
        'X-Svc-Tags': '{"kind":"receipt"}',
      },
    });
    expect(templated.code, templated.text).to.equal(250);
    const { parsed, raw: sent } = await mail.mailOf(templated.messageIds[0] ?? '');
    expect([parsed.subject, parsed.text?.trim()]).to.deep.equal(['Order A-1024 für Zoë', 'No. A-1024 für Zoë']);
    expect(sent.toString()).not.to.match(/X-Svc-(?:Template|Variables|Tags)/i);
    const filled = await submit(programOf(account), {
      from,
      to: 'ada@example.com',
      subject: '{{ greeting }}',
      text: '{{ greeting }}!',
      headers: { 'X-Svc-Variables': '{"greeting":"Hello"}' },
    });
    expect((await mail.mailOf(filled.messageIds[0] ?? '')).parsed.subject).to.equal('Hello');
    const refusals = [
      [{ 'X-Svc-Variables': '{"a":' }, /^5\.6\.0 invalid_input: .*X-Svc-Variables/],
      [{ 'X-Svc-Tags': '{"a":1}' }, /^5\.6\.0 invalid_input: .*tags/],
      [{ 'X-Svc-Template': 'unknown' }, /unknown/],
      [{ 'X-Svc-Topic': 'unknown' }, /unknown/],
      [{ 'X-Svc-Send-After': 'tomorrow' }, /sendAfter/],
    ] as const;
    for (const [headers, expected] of refusals) {
      const { code, text } = await submit(programOf(account), {
        from,
        to: 'ada@example.com',
        subject: 'x',
        text: 'x',
        headers,
      });
      expect([code, expected.test(text)], text).to.deep.equal([550, true]);
    }
  });

  it('becomes several messages above 50 recipients, all or none, and shows all the same To', async () => {
    const account = await platform.account();
    const to = Array.from({ length: 120 }, (_, n) => `a${n}@example.com`);
    const message = { from: await sender(account), to, subject: 'News', text: 'News' };
    const { code, messageIds, text } = await submit(programOf(account), message);
    expect([code, messageIds.length], text).to.deep.equal([250, 3]);
    const shown = await Promise.all(messageIds.map(async (id) => (await mail.mailOf(id)).parsed.to?.length));
    expect(shown).to.deep.equal([120, 120, 120]);
    const { messages } = await account.svc.call('email.message.list', {});
    expect(messages.flatMap((each) => each.to).sort()).to.deep.equal([...to].sort());
    const refused = await submit(programOf(account), { ...message, from: 'me@fern.example' });
    expect(refused.code).to.equal(550);
    expect((await account.svc.call('email.message.list', {})).messages).to.have.length(3);
    const transport = createTransport({
      host: '127.0.0.1',
      port: submissionPort(platform),
      tls: { rejectUnauthorized: false },
      auth: { user: 'x', pass: account.keys.live.secret },
    });
    const many = Array.from({ length: 201 }, (_, n) => `b${n}@example.com`);
    const { rejectedErrors = [] } = await transport.sendMail({ ...message, to: many });
    expect(rejectedErrors.map(({ responseCode }) => responseCode)).to.deep.equal([452]);
    transport.close();
  });

  it('is one message if the program repeats it, whoever it is for', async () => {
    const account = await platform.account();
    const message = {
      from: await sender(account),
      to: 'ada@example.com',
      subject: 'Once',
      text: 'Once',
      messageId: '<once@shop.example>',
    };
    const first = await submit(programOf(account), message);
    const again = await submit(programOf(account), message);
    expect(again).to.deep.equal(first);
    const racing = { ...message, messageId: '<racing@shop.example>' };
    const replies = await Promise.all([1, 2, 3].map(() => submit(programOf(account), racing)));
    const ids = replies.filter(({ code }) => code === 250).map(({ text }) => text);
    expect(new Set(ids).size).to.equal(1);
    for (const { code } of replies) expect(code).to.be.oneOf([250, 451]);
    // A mail server may send one message to each of its recipients.
    const other = await submit(programOf(account), {
      ...message,
      envelope: { from: 'x@example.com', to: 'cy@example.com' },
    });
    expect(other.messageIds).not.to.deep.equal(first.messageIds);
    const keyed = { ...message, messageId: '<two@shop.example>', headers: { 'Idempotency-Key': 'order-1' } };
    const one = await submit(programOf(account), keyed);
    const two = await submit(programOf(account), { ...keyed, messageId: '<three@shop.example>' });
    expect(two).to.deep.equal(one);
    expect((await account.svc.call('email.message.list', {})).messages).to.have.length(4);
    const { raw: sent } = await mail.mailOf(one.messageIds[0] ?? '');
    expect(sent.toString()).not.to.match(/idempotency-key/i);
  });

  it('to a suppressed recipient is accepted and stored as suppressed', async () => {
    const account = await platform.account();
    await suppress(platform, account.live, 'gone@example.com', 'bounce');
    const { code, messageIds } = await submit(programOf(account), {
      from: await sender(account),
      to: 'gone@example.com',
      subject: 'Hi',
      text: 'Hi',
    });
    expect(code).to.equal(250);
    const { message } = await account.svc.call('email.message.get', { messageId: messageIds[0] ?? '' });
    expect(message.status).to.equal('suppressed');
  });

  it('of a test key is sent as a test key sends', async () => {
    const account = await platform.account();
    const program = { ...programOf(account), key: account.keys.test.secret };
    const { ownAddress } = await account.svcTest.call('email.sender.get', {});
    const { messageIds } = await submit(program, {
      from: ownAddress,
      to: 'ada@example.com',
      subject: 'Hi',
      text: 'Hi',
    });
    const { message } = await account.svcTest.call('email.message.get', { messageId: messageIds[0] ?? '' });
    expect(message.blocked?.reason).to.equal('test_environment');
  });

  it('may be as large as email.send takes, and is refused above', async function () {
    this.timeout(60_000);
    const account = await platform.account();
    const message = { from: await sender(account), to: 'ada@example.com', subject: 'Large', text: 'Large' };
    const withFile = (bytes: number) =>
      submit(programOf(account), { ...message, attachments: [{ filename: 'a.bin', content: Buffer.alloc(bytes, 7) }] });
    expect((await withFile(10 * 1024 * 1024)).code).to.equal(250);
    const above = await withFile(10 * 1024 * 1024 + 1);
    expect([above.code, above.text.slice(0, 27)]).to.deep.equal([552, '5.3.4 attachments_too_large']);
    expect((await withFile(16 * 1024 * 1024)).code).to.equal(552);
  });
});
