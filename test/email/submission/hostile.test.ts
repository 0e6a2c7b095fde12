import { expect } from 'chai';
import { refused, stored } from '#test/email/inbound/hostile-mails.js';
import { ownDomain, rawMail } from '#test/email/inbound/support.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { submissionPort, submissionSettings, submit, type Program } from './support.js';

const envelope = { from: 'shop@example.com', to: 'ada@example.com' };

describe('Hostile mail by SMTP submission', function () {
  this.timeout(120_000);
  const platform = usePlatform({ settings: () => submissionSettings });
  const programOf = ({ keys }: TestAccount): Program => ({ port: submissionPort(platform), key: keys.live.secret });

  for (const [what, raw] of stored)
    it(`${what} gets an answer, and what is accepted can be read`, async () => {
      const account = await platform.account();
      // Each From is a separate header: the first one counts.
      const own = Buffer.from(`From: shop@${await ownDomain(account)}\r\n`);
      const { code, text, messageIds } = await submit(programOf(account), {
        envelope,
        raw: Buffer.concat([own, Buffer.from(raw)]),
      });
      expect(code, text).to.be.oneOf([250, 550]);
      if (code === 550) expect(text).to.match(/^5\.6\.0 invalid_input|^5\.7\.1 sender_not_verified/);
      for (const messageId of messageIds) {
        const { content } = await account.svc.call('email.message.get', { messageId });
        expect(content).not.to.equal(null);
      }
      await platform.settled();
    });

  for (const [what, raw, reason] of refused)
    it(`${what} is refused`, async () => {
      const account = await platform.account();
      const { code, text } = await submit(programOf(account), { envelope, raw });
      expect([code, text.slice(0, 5)], text).to.deep.equal([554, reason === 'loop' ? '5.4.6' : '5.6.0']);
      expect((await account.svc.call('email.message.list', {})).messages).to.deep.equal([]);
    });

  it('cannot add a header, a recipient or a line to the reply', async () => {
    const account = await platform.account();
    const from = `shop@${await ownDomain(account)}`;
    const cases = [
      rawMail({ From: from, Subject: '=?utf-8?Q?a=0D=0ABcc:_evil@example.com?=' }),
      rawMail({ From: from, 'X-A': '=?utf-8?Q?a=0D=0ABcc:_evil@example.com?=' }),
      rawMail({ From: from, To: '=?utf-8?Q?a=0D=0ABcc:_evil@example.com?= <ada@example.com>' }),
      rawMail({ From: from, 'In-Reply-To': '<a@b>\r\n\t<c@d>' }),
      rawMail({ From: from, 'Message-ID': '<a@b\rBcc:evil@example.com>' }),
      rawMail({ From: from, 'Content-Type': 'multipart/signed; boundary=b\rBcc: evil@example.com' }),
    ];
    for (const raw of cases) {
      const { code, text } = await submit(programOf(account), { envelope, raw });
      expect(code, text).to.be.oneOf([250, 550]);
      expect(text).not.to.match(/[^ -~]/);
    }
    const { messages } = await account.svc.call('email.message.list', {});
    for (const { to, cc, bcc } of messages)
      expect([...to, ...cc, ...bcc], 'recipients').to.deep.equal(['ada@example.com']);
  });
});
