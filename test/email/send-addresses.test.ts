import { expect } from 'chai';
import { itNeeding } from '#test/support/products.js';
import { letter, send, useMail } from './support.js';

const smtpUtf8 = 'must be ASCII before the @: other characters need SMTPUTF8, which is not supported';

describe('email.send: addresses outside ASCII', () => {
  const mail = useMail();
  const { platform } = mail;

  it('takes a domain outside ASCII, and answers and sends to its ASCII form', async () => {
    const { svc } = await platform.account();
    const sent = await send(svc, { to: 'user@münchen.example' });
    expect(sent.to).to.deep.equal(['user@xn--mnchen-3ya.example']);
    expect((await mail.mailOf(sent.messageId)).recipients).to.deep.equal(['user@xn--mnchen-3ya.example']);
    for (const to of ['user@MÜNCHEN.example', 'user@xn--mnchen-3ya.example'])
      expect((await svc.call('email.message.list', { to })).messages.map(({ messageId }) => messageId)).to.deep.equal([
        sent.messageId,
      ]);
  });

  it('refuses other characters before the @, and says that SMTPUTF8 is not supported', async () => {
    const { svc } = await platform.account();
    const problemOf = async (fields: object): Promise<string> => {
      const { status, code, message } = await svc.refusal('email.send', letter(fields));
      expect({ status, code }).to.deep.equal({ status: 400, code: 'invalid_input' });
      return message;
    };
    expect(await problemOf({ to: 'jörg@example.com' })).to.equal(`The field “to” ${smtpUtf8}.`);
    expect(await problemOf({ to: ['ada@example.com', 'Jörg <jörg@example.com>'] })).to.equal(
      `The field “to[1]” ${smtpUtf8}.`,
    );
    expect(await problemOf({ cc: 'jörg@example.com' })).to.equal(`The field “cc” ${smtpUtf8}.`);
    expect(await problemOf({ from: 'jörg@example.com' })).to.equal(`The field “from” ${smtpUtf8}.`);
  });

  it('says of every other invalid address what is wrong with it', async () => {
    const { svc } = await platform.account();
    const problems = {
      ada: 'must be one email address such as ada@example.com',
      'ada@@example.com': 'must be one email address such as ada@example.com',
      'ada@': 'must be one email address such as ada@example.com',
      'a@b@example.com': 'must have exactly one @',
      'ada@localhost': 'must have a full domain after the @',
      'ada@[127.0.0.1]': 'must name a domain, not an IP address',
      'ada@a_b.example': 'is not a valid address: the part after the @ is not a domain',
      'a..b@example.com': 'is not a valid address: the part before the @ is wrong',
      'a@x.example, b@x.example':
        'must be one email address such as ada@example.com or Ada <ada@example.com>; put a name with commas in quotes',
    };
    for (const [to, problem] of Object.entries(problems))
      expect((await svc.refusal('email.send', letter({ to }))).message, to).to.equal(`The field “to” ${problem}.`);
  });

  itNeeding('audience')('says so of contacts and of filters too', async () => {
    const { svc } = await platform.account();
    const email = 'jörg@example.com';
    for (const refused of [
      await svc.refusal('audience.contact.upsert', { email }),
      await svc.refusal('audience.suppression.list', { email }),
    ])
      expect(refused.message).to.equal(`The field “email” ${smtpUtf8}.`);
  });
});
