import { expect } from 'chai';
import { dialog } from '#test/email/inbound/smtp-support.js';
import { useMail } from '../support.js';
import { submissionPort, submissionSettings, submit, type Program } from './support.js';
import type { TestAccount } from '#test/support/platform.js';

describe('SMTP submission', () => {
  const mail = useMail({ settings: submissionSettings });
  const { platform } = mail;
  const programOf = ({ keys }: TestAccount): Program => ({
    port: submissionPort(platform),
    key: keys.live.secret,
  });

  it('sends what a program submits as email.send does, and says the id', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { ownAddress } = await svc.call('email.sender.get', {});
    const { code, text, messageIds } = await submit(programOf(account), {
      from: `Shop <${ownAddress}>`,
      to: ['Ada <ada@example.com>'],
      cc: 'bob@example.com',
      bcc: 'cy@example.com',
      replyTo: 'help@shop.example',
      subject: 'Zoë’s order',
      text: 'Dear {{ name }}, {% it %} is on its way.',
      html: '<p>Dear {{ name }}</p><img src="cid:logo@shop">',
      messageId: '<order-1@shop.example>',
      inReplyTo: '<question@example.com>',
      references: ['<first@example.com>', '<question@example.com>'],
      headers: { 'X-Order': 'A-1024', 'List-Id': '<orders.shop.example>', 'X-MC-Tags': 'no' },
      attachments: [
        { filename: 'logo.png', content: Buffer.from('logo'), cid: 'logo@shop' },
        { filename: 'räport.csv', content: 'a,b', contentType: 'text/csv; header=present' },
      ],
    });
    const [messageId = ''] = messageIds;
    expect([code, text]).to.deep.equal([250, `2.0.0 ${messageId}`]);
    const { message, submission, attachments } = await svc.call('email.message.get', { messageId });
    expect(submission).to.deep.equal({ user: 'shop', program: 'app.example.com', address: '127.0.0.1' });
    expect(message).to.deep.include({
      to: ['ada@example.com'],
      cc: ['bob@example.com'],
      bcc: ['cy@example.com'],
      replyTo: ['help@shop.example'],
      from: ownAddress,
      fromName: 'Shop',
      subject: 'Zoë’s order',
    });
    expect(attachments.map(({ filename }) => filename)).to.deep.equal(['logo.png', 'räport.csv']);
    const { parsed, recipients, raw } = await mail.mailOf(messageId);
    expect(recipients).to.have.members(['ada@example.com', 'bob@example.com', 'cy@example.com']);
    expect(parsed).to.include({ messageId: '<order-1@shop.example>', inReplyTo: '<question@example.com>' });
    expect(parsed.references).to.equal('<first@example.com> <question@example.com>');
    expect(parsed.text?.trim()).to.equal('Dear {{ name }}, {% it %} is on its way.');
    expect(parsed.html).to.contain('cid:logo@shop');
    expect(parsed.to).to.deep.equal([{ name: 'Ada', address: 'ada@example.com' }]);
    expect(parsed.attachments.map(({ mimeType }) => mimeType)).to.deep.equal(['image/png', 'text/csv']);
    const headers = Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value]));
    expect(headers).to.include({ 'x-order': 'A-1024', 'list-id': '<orders.shop.example>' });
    expect(raw.toString()).not.to.match(/X-MC-Tags|Bcc:|cy@example.com/i);
    const { activities } = await svc.call('account.activity.list', { operation: 'email.send' });
    expect(activities.map(({ summary }) => summary)).to.deep.equal([
      'Queued: a message to 3 recipients, by SMTP as “shop” from app.example.com (127.0.0.1).',
    ]);
  });

  it('answers nothing before AUTH but EHLO, STARTTLS, AUTH, NOOP, RSET and QUIT', async () => {
    const client = await dialog(submissionPort(platform));
    expect(await client.say('EHLO app.example.com'))
      .to.match(/AUTH PLAIN LOGIN/)
      .and.match(/STARTTLS/)
      .and.match(/SIZE 20971520/)
      .and.match(/PIPELINING/)
      .and.match(/8BITMIME/)
      .and.match(/SMTPUTF8/)
      .and.match(/DSN/);
    for (const line of ['NOOP', 'RSET']) expect(await client.say(line), line).to.match(/^250/);
    for (const line of ['MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'])
      expect(await client.say(line), line).to.match(/^530 5\.7\.0/);
    for (const line of ['VRFY ada', 'HELP', 'EXPN all']) expect(await client.say(line), line).to.match(/^50[02]/);
    expect(await client.say('QUIT')).to.match(/^221/);
    await client.closed();
  });

  it('takes no other password than a secret key that may send', async () => {
    const account = await platform.account();
    const program = programOf(account);
    const { plaintext: reader } = await account.svc.call('developers.key.create', {
      name: 'Reader',
      kind: 'secret',
      permissions: ['email:read'],
    });
    const message = { from: 'a@example.com', to: 'ada@example.com', subject: 'Hi', text: 'Hi' };
    const cases = [
      ['svc_live_unknown', /^5\.7\.8 unauthenticated: .*email:write/],
      [account.keys.live.publishable, /^5\.7\.8 /],
      [reader, /^5\.7\.8 permission_required: .*email:write/],
    ] as const;
    for (const [key, expected] of cases) {
      const { code, text } = await submit({ ...program, key }, message);
      expect([code, expected.test(text)], text).to.deep.equal([535, true]);
    }
  });

  it('names code and fix of a refusal in one line, and keeps the connection', async () => {
    const account = await platform.account();
    const { code, text } = await submit(programOf(account), {
      from: 'me@fern.example',
      to: 'ada@example.com',
      subject: 'Hi',
      text: 'Hi',
    });
    expect([code, text.slice(0, 26)]).to.deep.equal([550, '5.7.1 sender_not_verified:']);
    expect(text).to.contain('fern.example').and.contain('email.domain.add');
    expect((await account.svc.call('email.message.list', {})).messages).to.deep.equal([]);
  });
});
