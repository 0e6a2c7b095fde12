import { expect } from 'chai';
import { eventually } from '#test/support/eventually.js';
import { needProducts } from '#test/support/products.js';
import { send, useMail } from '../support.js';

describe('Addresses that the mail server refuses', () => {
  needProducts('audience');
  const mail = useMail();
  const { platform } = mail;

  /** Sends a message whose recipient is refused. @returns the suppressions that follow */
  const refused = async (code: number, message: string, where: 'onRecipient' | 'onSender' = 'onRecipient') => {
    const { svc } = await platform.account();
    mail.smtp[where] = () => ({ code, message });
    const { messageId } = await send(svc);
    const status = async () => (await svc.call('email.message.get', { messageId })).message.status;
    await eventually(async () => (await status()) === 'failed', 'the message has failed');
    const { suppressions } = await svc.call('audience.suppression.list', { email: 'ada@example.com' });
    return { svc, suppressions: suppressions.map(({ reason, note }) => [reason, note]) };
  };

  it('are suppressed where it says that they do not work', async () => {
    for (const answer of ['5.1.1 User unknown', '5.2.1 Mailbox disabled']) {
      const { svc, suppressions } = await refused(550, answer);
      expect(suppressions).to.deep.equal([['bounce', `550 ${answer}`]]);
      expect(await send(svc)).to.include({ status: 'suppressed' });
    }
  });

  it('are suppressed at once, while the message waits for another recipient', async () => {
    const { svc } = await platform.account();
    mail.smtp.onRecipient = (address) =>
      address === 'dead@example.com'
        ? { code: 550, message: '5.1.1 User unknown' }
        : { code: 450, message: '4.2.0 later' };
    const { messageId } = await send(svc, { to: ['dead@example.com', 'later@example.com'] });
    await platform.settled();
    const { suppressions } = await svc.call('audience.suppression.list', { email: 'dead@example.com' });
    expect(suppressions.map(({ reason }) => reason)).to.deep.equal(['bounce']);
    expect((await svc.call('email.message.get', { messageId })).message.status).to.equal('queued');
    mail.smtp.onRecipient = () => null;
  });

  it('are neither suppressed nor failed where the limit of the sender is reached', async () => {
    for (const answer of ['5.1.90 The sender has used up its daily number', '5.4.5 The daily limit is reached']) {
      const { svc } = await platform.account();
      mail.smtp.onRecipient = () => ({ code: 550, message: answer });
      const { messageId } = await send(svc);
      await platform.settled();
      expect((await svc.call('email.message.get', { messageId })).message.status, answer).to.equal('queued');
      expect((await svc.call('audience.suppression.list', {})).suppressions).to.deep.equal([]);
      mail.smtp.onRecipient = () => null;
    }
  });

  it('are not suppressed where it says something else, or does not say why', async () => {
    const answers: [number, string][] = [
      [550, 'Message rejected'],
      [550, '5.7.1 Blocked for its reputation'],
      [553, '5.1.8 Sender address rejected'],
      [552, '5.2.2 Mailbox full'],
      [550, '5.1.0 <hello@shop.example>: Sender address rejected: User unknown in local recipient table'],
    ];
    for (const [code, answer] of answers) {
      const { svc, suppressions } = await refused(code, answer);
      expect(suppressions, answer).to.deep.equal([]);
      expect(await send(svc), answer).to.include({ status: 'queued' });
    }
  });

  it('are not suppressed if the server refuses the sender', async () => {
    const { svc, suppressions } = await refused(550, '5.1.0 User unknown', 'onSender');
    expect(suppressions).to.deep.equal([]);
    mail.smtp.onSender = () => null;
    expect(await send(svc)).to.include({ status: 'queued' });
  });
});
