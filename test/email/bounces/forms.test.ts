import { expect } from 'chai';
import { itNeeding } from '#test/support/products.js';
import { useBounces, notice } from './support.js';

const mailOf = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`);

/** A mail as a gateway passes it on: the whole is one part of another multipart. */
const wrapped = (report: Buffer): Buffer => {
  const [headers = '', ...body] = report.toString().split('\r\n\r\n');
  const type = /^Content-Type:.*$/m.exec(headers)?.[0] ?? '';
  return mailOf(
    'From: gateway@example.net',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="W"',
    '',
    '--W',
    type,
    '',
    body.join('\r\n\r\n'),
    '--W',
    'Content-Type: text/plain',
    '',
    'Checked by the gateway.',
    '--W--',
  );
};

const exim = (reason: string, failed = 'ada@example.com'): Buffer =>
  mailOf(
    'From: Mail Delivery System <Mailer-Daemon@mx.example.com>',
    `X-Failed-Recipients: ${failed}`,
    'Auto-Submitted: auto-replied',
    'Subject: Mail delivery failed: returning message to sender',
    '',
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    `  ${failed}`,
    `    ${reason}`,
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    '<ada@example.com>: 550 5.1.1 quoted',
  );

const qmail = (address: string, reason: string): Buffer =>
  mailOf(
    'From: MAILER-DAEMON@example.com',
    'Subject: failure notice',
    '',
    'Hi. This is the qmail-send program at example.com.',
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    '',
    `<${address}>:`,
    reason,
    '',
    '--- Below this line is a copy of the message.',
  );

const postfix = mailOf(
  'From: MAILER-DAEMON@mx.example.com (Mail Delivery System)',
  'Subject: Undelivered Mail Returned to Sender',
  '',
  'This is the mail system at host mx.example.com.',
  '',
  '<ada@example.com>: host mail.example.com[192.0.2.7] said: 550 No such user here (in',
  '    reply to RCPT TO command)',
);

describe('bounces in the forms that servers write', () => {
  const mail = useBounces();
  const { platform } = mail;

  /**
   * Reports about a mail to ada@example.com, each about one of its own: what became of it, and the kind of the bounce.
   */
  async function kindsOf(
    reports: readonly Buffer[],
    address = 'ada@example.com',
  ): Promise<[outcome: string, kind: string | null][]> {
    const found: [string, string | null][] = [];
    for (const report of reports) {
      const { returnPaths, shown } = await mail.sent(await platform.account(), address);
      const outcome = await mail.report(returnPaths[0] ?? '', report);
      found.push([outcome, (await shown()).message.bounce?.kind ?? null]);
    }
    return found;
  }

  it('name the recipient under any address type, in xtext and in unitext', async () => {
    const of = (field: string) =>
      Buffer.from(notice().toString().replace('Final-Recipient: rfc822; ada@example.com', `Final-Recipient: ${field}`));
    const fields = ['LOCAL;ada@example.com', 'X-LOCAL; ada@example.com', 'smtp;<ada@example.com>', 'ADA@example.com'];
    const encoded = ['rfc822; ada+40example.com', 'utf-8; ada\\x{40}example.com', 'rfc822; ada@example.com (Ada)'];
    for (const field of [...fields, ...encoded])
      expect(await kindsOf([of(field)]), field).to.deep.equal([['recorded', 'hard']]);
    expect(await kindsOf([of('rfc822; ada+2Bnews@example.com')], 'ada+news@example.com')).to.deep.equal([
      ['recorded', 'hard'],
    ]);
  });

  itNeeding('audience')('are soft where the recipient forwarded the mail to an address that failed', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const [path = ''] = returnPaths;
    const delivered = notice({ finalRecipient: 'ada.old@example.org', action: 'delivered' });
    expect(await mail.report(path, delivered)).to.equal('ignored');
    expect(await mail.report(path, notice({ finalRecipient: 'ada.old@example.org' }))).to.equal('recorded');
    expect((await shown()).message.bounce).to.include({ kind: 'soft', code: '5.1.1' });
    expect((await account.svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
  });

  it('may be wrapped in another multipart', async () => {
    expect(await kindsOf([wrapped(notice())])).to.deep.equal([['recorded', 'hard']]);
  });

  it('may be plain text of Exim, qmail or Postfix', async () => {
    const reports = [
      exim('550 5.1.1 User unknown'),
      exim('host mx.example.com [192.0.2.7]: 550 unknown user'),
      exim('retry timeout exceeded'),
      exim('550 5.1.1 User unknown', 'ada@forwarded.example'),
      qmail('ada@example.com', 'Sorry, no mailbox here by that name. (#5.1.1)'),
      qmail('ada@example.com', "I'm not going to try again; this message has been in the queue too long."),
      qmail('ada@forwarded.example', 'Sorry, no mailbox here by that name. (#5.1.1)'),
      postfix,
    ];
    const kinds = ['hard', 'hard', 'soft', 'soft', 'hard', 'soft', 'soft', 'hard'];
    expect(await kindsOf(reports)).to.deep.equal(kinds.map((kind) => ['recorded', kind]));
  });

  it('are not mails that only speak of an address, or of a delay', async () => {
    const said = postfix.toString();
    const reports = [
      mailOf('From: ada@example.com', 'Subject: Re: Hello', '', '<ada@example.com>:', '550 5.1.1 was in my notice.'),
      Buffer.from(said.replace('This is the mail', 'THIS IS A WARNING MESSAGE ONLY. This is the mail')),
      mailOf('From: mailer-daemon@example.com', 'Subject: Out of office', '', 'I am back on Monday.'),
    ];
    expect(await kindsOf(reports)).to.deep.equal(reports.map(() => ['ignored', null]));
  });
});

describe('complaints in the forms that providers write', () => {
  const mail = useBounces();
  const { platform } = mail;

  const attached = (...headers: string[]): Buffer =>
    mailOf(
      'From: staff@hotmail.example',
      'Subject: complaint about message from 192.0.2.1',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="F"',
      '',
      '--F',
      'Content-Type: message/rfc822',
      'Content-Disposition: attachment',
      '',
      ...headers,
      'Subject: Hello',
      '',
      'Hi',
      '--F--',
    );

  it('may be the attached message alone, with the header of Microsoft’s program', async () => {
    const { returnPaths, shown } = await mail.sent(await platform.account());
    const [path = ''] = returnPaths;
    expect(await mail.report(path, attached('From: shop@example.net'))).to.equal('ignored');
    const elsewhere = attached('X-HmXmrOriginalRecipient: ada@elsewhere.example');
    expect(await mail.report(path, elsewhere)).to.equal('ignored');
    const complaint = attached('X-HmXmrOriginalRecipient: ada@example.com', `Return-Path: <${path}>`);
    expect(await mail.report('fbl@example.net', complaint)).to.equal('recorded');
    expect((await shown()).recipients[0]?.complainedAt).to.be.a('string');
  });
});
