import { expect } from 'chai';
import { hours, minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { sqlId, useMail } from '../support.js';
import { publish, publisher, reached, sendBroadcast, shown, subscribe, type Publisher } from './support.js';

describe('A broadcast that is delivered many messages at once', () => {
  const mail = useMail();
  const { platform } = mail;
  afterEach(() => (mail.smtp.onRecipient = () => null));

  const made = async (emails: readonly string[], text = 'Hello {{ contact.email }}'): Promise<Publisher> => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News for {{ contact.email }}', text } });
    await subscribe(sender, emails);
    return sender;
  };
  const people = (count: number, domain: string): string[] =>
    Array.from({ length: count }, (_, index) => `c${index}@${domain}`);
  const messageTo = async ({ svc }: Publisher, to: string) => {
    const { messages } = await svc.call('email.message.list', { to });
    return svc.call('email.message.get', { messageId: messages[0]?.messageId ?? '' });
  };

  it('shows each message as a message that was sent on its own', async () => {
    const sender = await made(['ada@one.example', 'bob@one.example']);
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    const { message, recipients, attempts } = await messageTo(sender, 'bob@one.example');
    expect(message).to.deep.include({
      ...{ status: 'sent', subject: 'News for bob@one.example', to: ['bob@one.example'] },
      ...{ templateLocale: 'en', broadcastId },
    });
    expect(message.sentAt).not.to.equal(null);
    expect(recipients).to.have.length(1);
    expect(recipients[0]).to.deep.include({ email: 'bob@one.example', status: 'sent' });
    expect(attempts).to.have.length(1);
    expect(attempts[0]).to.deep.include({ status: 'sent' });
    const told = (await platform.events(sender.live)).filter(({ type }) => type === 'email.sent');
    expect(told).to.have.length(2);
    const own = told.find(({ subjectId }) => subjectId === message.messageId);
    expect(own?.data).to.deep.equal({ message, failedRecipients: [] });
    const { contact } = await sender.svc.call('audience.contact.get', { email: 'bob@one.example' });
    await eventually(
      async () =>
        (await platform.count('audience_message_tally', `contact_id = ${sqlId(contact.id)} AND channel = 'email'`)) ===
        1,
      'the time of the last mail is stored',
    );
  });

  it('gives up those that are refused, and retries those that are deferred', async () => {
    const sender = await made(['dead@two.example', 'later@two.example', ...people(5, 'two.example')]);
    mail.smtp.onRecipient = (address) =>
      address === 'dead@two.example'
        ? { code: 550, message: '5.1.1 User unknown' }
        : address === 'later@two.example'
          ? { code: 451, message: '4.2.0 Try again later' }
          : null;
    const broadcastId = await sendBroadcast(sender);
    await eventually(async () => {
      const { counts } = await shown(sender, broadcastId);
      return counts?.sent === 5 && counts.failed === 1 && counts.queued === 1;
    }, 'five are sent, one has failed and one waits');
    const { suppressions } = await sender.svc.call('audience.suppression.list', {});
    expect(suppressions.map(({ email, reason }) => [email, reason])).to.deep.equal([['dead@two.example', 'bounce']]);
    const dead = await messageTo(sender, 'dead@two.example');
    expect(dead.attempts.map(({ status }) => status)).to.deep.equal(['permanent']);
    mail.smtp.onRecipient = () => null;
    platform.clock.advance(minutes(2));
    await reached(sender, broadcastId, 'sent');
    const { attempts } = await messageTo(sender, 'later@two.example');
    expect(attempts.map(({ status }) => status)).to.deep.equal(['temporary', 'sent']);
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 7, sent: 6, failed: 1 });
    expect(await platform.count('email_chunk', `partition_id = ${sqlId(broadcastId)}`)).to.equal(0);
  });

  it('explains why a message was not sent, whatever stopped it', async () => {
    const sender = await made(people(4, 'three.example'), 'Hello {{ plan }}');
    await subscribe(sender, ['c1@three.example', 'c2@three.example', 'c3@three.example'], {
      properties: { plan: 'pro' },
    });
    const { broadcast } = await sender.svc.call('email.broadcast.create', {
      ...{ name: 'News', template: 'news', topic: 'news', from: sender.from },
      variables: { plan: 'free' },
      scheduledAt: new Date(platform.clock.now().getTime() + hours(1)).toISOString(),
    });
    const broadcastId = broadcast.id;
    await sender.svc.call('email.broadcast.send', { broadcastId });
    mail.smtp.onRecipient = () => ({ code: 451, message: '4.3.2 Not now' });
    platform.clock.advance(hours(1));
    await eventually(async () => ((await shown(sender, broadcastId)).counts?.queued ?? 0) === 4, 'all wait');
    await sender.svc.call('audience.suppression.add', { email: 'c1@three.example' });
    const { contact } = await sender.svc.call('audience.contact.get', { email: 'c2@three.example' });
    await sender.svc.call('audience.contact.update', { contactId: contact.id, email: 'moved@three.example' });
    mail.smtp.onRecipient = () => null;
    platform.clock.advance(minutes(2));
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 4, sent: 2, suppressed: 2 });
    expect((await messageTo(sender, 'c1@three.example')).message.blocked).to.include({
      reason: 'suppressed_recipient',
    });
    expect((await messageTo(sender, 'c2@three.example')).message.blocked).to.include({ reason: 'no_consent' });
  });
});

describe('A broadcast to a mail server that greets late', () => {
  // Longer than a check may be old when a message leaves.
  const mail = useMail({ receiver: { greetingDelayMs: 1_500 } });
  const { platform } = mail;

  it('leaves once the connections are open: messages that waited for them are checked again', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello {{ contact.email }}' } });
    const emails = Array.from({ length: 40 }, (_, index) => `c${index}@late.example`);
    await subscribe(sender, emails);
    const broadcastId = await sendBroadcast(sender);
    await mail.smtp.waitFor((received) => received.length === emails.length, 25_000);
    await reached(sender, broadcastId, 'sent');
    expect(mail.smtp.received.map(({ recipients: [address = ''] }) => address).sort()).to.deep.equal(emails.sort());
  });
});
