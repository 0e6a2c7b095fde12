import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { erasure } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { mailboxFolder } from '#plugins/email/mailbox/store.js';
import type { Api, InputOf, ReplyOf } from '#test/support/api.js';
import { codeOf } from '#test/kernel/support/lab.js';
import { hours, minutes } from '#test/support/clock.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { searchDatabase } from '#test/support/search-database.js';
import { letter, send, sqlId, useMail } from './support.js';

interface Person {
  /** Occurs nowhere else in the database. */
  name: string;
  email: string;
}

function somebody(): Person {
  const name = `ada${randomBytes(6).toString('hex')}`;
  return { name, email: `${name}@example.com` };
}

/** A message that names its recipient in every field. */
const naming = ({ email }: Person): InputOf<'email.send'> =>
  letter({
    to: [email, 'bob@example.com'],
    replyTo: [email, 'help@example.com'],
    fromName: email,
    subject: `Dear ${email}`,
    text: `You are ${email}.`,
    html: `<p>You are ${email}.</p>`,
    headers: { 'X-For': email },
    tags: { for: email, kind: 'welcome' },
    attachments: [
      { filename: `${email}.txt`, contentType: 'text/plain', content: Buffer.from(email).toString('base64') },
    ],
  });

const found = ({ running }: TestPlatform, { name }: Person): Promise<string[]> =>
  searchDatabase(running.services.database, name);

/** Requests an erasure as a product does that deletes a contact. */
const erase = ({ running }: TestPlatform, environment: Environment, { email }: Person): Promise<unknown> =>
  running.services.transaction('Test', ({ use }) =>
    use(erasure).request({ environment, personId: newId(), email, phone: null }),
  );

const shown = (svc: Api, messageId: string): Promise<ReplyOf<'email.message.get'>> =>
  svc.call('email.message.get', { messageId });

describe('Erasing a person from mail', () => {
  const mail = useMail();
  const { platform } = mail;
  afterEach(() => Object.assign(mail.smtp, { onRecipient: () => null }));

  const aMinuteLater = async (): Promise<void> => {
    platform.clock.advance(minutes(1));
    await platform.settled();
  };
  const inHours = (n: number): string => new Date(platform.clock.now().getTime() + hours(n)).toISOString();
  const contentsOf = (messageId: string): Promise<number> =>
    platform.count('email_content', `id = ${sqlId(messageId)}`);

  it('keeps of a sent message only that it was sent, and its other recipients', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const { messageId } = await svc.call('email.send', naming(ada), { idempotencyKey: 'naming' });
    await platform.settled();
    expect(await found(platform, ada), 'the search finds the data').to.deep.equal([
      'email_attachment.filename',
      'email_attachment_part.data',
      'email_content.text_body',
      'email_content.html_body',
      'email_message.from_name',
      'email_message.reply_to',
      'email_message.to_addresses',
      'email_message.subject',
      'email_message.headers',
      'email_message.tags',
      'email_recipient.address',
      'email_recipient.address_key',
      'email_tag.tag',
      'svc_event.data',
      'svc_idempotency.answer',
    ]);
    await erase(platform, live, ada);
    await platform.settled();
    expect(await found(platform, ada)).to.deep.equal([]);
    const { message, content, recipients, attachments, attempts } = await shown(svc, messageId);
    expect(message).to.deep.include({
      status: 'sent',
      to: ['bob@example.com'],
      replyTo: ['help@example.com'],
      fromName: null,
      subject: null,
      tags: {},
    });
    expect([content, attachments, attempts.map(({ response }) => response)]).to.deep.equal([null, [], ['']]);
    expect(recipients.map(({ email, status }) => [email, status])).to.deep.equal([['bob@example.com', 'sent']]);
    // Free text is erased without searching it for the person, tags too.
    expect((await svc.call('email.message.list', { tag: 'kind=welcome' })).messages).to.deep.equal([]);
    expect((await svc.call('email.message.list', { to: 'bob@example.com' })).messages).to.deep.equal([message]);
    expect((await svc.call('email.message.list', { to: ada.email })).messages).to.deep.equal([]);
    const { events } = await svc.call('developers.event.list', { subjectId: messageId });
    expect(events.map(({ type, data }) => [type, data])).to.deep.equal([
      ['email.sent', { erased: true }],
      ['email.queued', { erased: true }],
    ]);
  });

  it('refuses a repeat of email.send’s key, whose answer was erased, and sends nothing again', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const { result } = await svc.envelope('email.send', naming(ada), { idempotencyKey: 'once' });
    await platform.settled();
    await erase(platform, live, ada);
    await platform.settled();
    const repeat = await svc.raw('/email/send', JSON.stringify(naming(ada)), { idempotencyKey: 'once' });
    expect([repeat.status, codeOf(repeat)]).to.deep.equal([404, 'not_found']);
    await platform.settled();
    expect(mail.arrivalsOf(result.messageId)).to.have.length(1);
    expect(await found(platform, ada)).to.deep.equal([]);
  });

  it('redacts failed messages, with the server’s answers, and suppressed ones', async () => {
    const { svc, live, svcTest, test } = await platform.account();
    const ada = somebody();
    mail.smtp.onRecipient = (address) => ({ code: 550, message: `no such user ${address}` });
    const failed = await send(svc, { to: ada.email });
    const suppressed = await send(svcTest, { to: ada.email });
    await platform.settled();
    expect(await found(platform, ada)).to.include.members(['email_attempt.response', 'email_recipient.response']);
    await erase(platform, live, ada);
    await erase(platform, test, ada);
    await platform.settled();
    expect(await found(platform, ada)).to.deep.equal([]);
    expect((await shown(svc, failed.messageId)).message).to.deep.include({ status: 'failed', to: [] });
    const { message, recipients } = await shown(svcTest, suppressed.messageId);
    expect(message).to.deep.include({ status: 'suppressed', to: [], suppressedRecipients: [] });
    expect(recipients).to.deep.equal([]);
  });

  it('cancels queued messages: they are never sent, and their event does not name the person', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const { messageId } = await send(svc, { ...naming(ada), sendAfter: inHours(1) });
    await erase(platform, live, ada);
    await platform.settled();
    expect(await found(platform, ada)).to.deep.equal([]);
    const { message } = await shown(svc, messageId);
    expect(message).to.deep.include({ status: 'cancelled', to: ['bob@example.com'] });
    const last = (await platform.events(live)).at(-1);
    expect(last).to.deep.include({ type: 'email.cancelled', subjectId: messageId, data: { message } });
    platform.clock.advance(hours(2));
    await platform.settled();
    expect(mail.arrivalsOf(messageId)).to.deep.equal([]);
    expect([await contentsOf(messageId), await platform.count('email_queue')]).to.deep.equal([0, 0]);
  });

  it('also redacts the stored answers of calls that changed nothing', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const { messageId } = await send(svc, { to: ada.email, sendAfter: inHours(1) });
    for (const idempotencyKey of ['first', 'again'])
      await svc.call('email.message.cancel', { messageId }, { idempotencyKey });
    await erase(platform, live, ada);
    await platform.settled();
    expect(await found(platform, ada)).to.deep.equal([]);
    const again = await svc.raw('/email/message/cancel', JSON.stringify({ messageId }), { idempotencyKey: 'again' });
    expect(codeOf(again)).to.equal('not_found');
  });

  it('ends a message as sent when only some recipients had got it', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    mail.smtp.onRecipient = (address) => (address === ada.email ? { code: 450, message: 'later' } : null);
    const { messageId } = await send(svc, naming(ada));
    await platform.settled();
    expect((await shown(svc, messageId)).message.status).to.equal('queued');
    mail.smtp.onRecipient = () => null;
    await erase(platform, live, ada);
    await platform.settled();
    await aMinuteLater();
    const { message, recipients } = await shown(svc, messageId);
    expect([message.status, recipients.map(({ email, status }) => [email, status])]).to.deep.equal([
      'sent',
      [['bob@example.com', 'sent']],
    ]);
    expect(mail.arrivalsOf(messageId).flatMap((each) => each.recipients)).to.deep.equal(['bob@example.com']);
    expect((await platform.events(live)).at(-1)).to.deep.include({
      type: 'email.sent',
      data: { message, failedRecipients: [] },
    });
    expect(await found(platform, ada)).to.deep.equal([]);
  });

  it('races delivery: each of twenty messages is either sent or cancelled, once, and nothing of the person is left', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => send(svc, { to: ada.email.toUpperCase(), sendAfter: inHours(1) })),
    );
    platform.clock.advance(hours(1));
    await erase(platform, live, ada);
    await platform.settled();
    for (let look = 0; look < 3; look += 1) await aMinuteLater();
    const events = await platform.events(live);
    for (const { messageId } of sent) {
      const { status } = (await shown(svc, messageId)).message;
      expect(mail.arrivalsOf(messageId)).to.have.length(status === 'sent' ? 1 : 0);
      const names = events.filter(({ subjectId }) => subjectId === messageId).map(({ type }) => type);
      expect(names).to.deep.equal(['email.queued', `email.${status}`]);
    }
    expect(await found(platform, ada)).to.deep.equal([]);
    expect(await platform.count('svc_erasure')).to.equal(0);
  });

  it('leaves other people’s mail and other environments’ mail to the person unchanged', async () => {
    const [mine, theirs] = [await platform.account(), await platform.account()];
    const [ada, bob] = [somebody(), somebody()];
    const toBob = await send(mine.svc, { ...naming(bob), to: bob.email });
    const elsewhere = await send(theirs.svc, { ...naming(ada), to: ada.email });
    await platform.settled();
    const before = [await shown(mine.svc, toBob.messageId), await shown(theirs.svc, elsewhere.messageId)];
    await erase(platform, mine.live, ada);
    await platform.settled();
    expect([await shown(mine.svc, toBob.messageId), await shown(theirs.svc, elsewhere.messageId)]).to.deep.equal(
      before,
    );
  });

  it('leaves mail that is sent to the address after the deletion: a last word to the person is delivered', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const { messageId: before } = await send(svc, { ...naming(ada), to: ada.email, sendAfter: inHours(1) });
    await erase(platform, live, ada);
    platform.clock.advance(1);
    const { messageId: after } = await send(svc, { ...naming(ada), to: ada.email });
    await aMinuteLater();
    expect((await shown(svc, before)).message.status).to.equal('cancelled');
    expect((await shown(svc, after)).message).to.include({ status: 'sent', subject: `Dear ${ada.email}` });
  });
});

describe('Erasing a person while the mail server hangs', () => {
  const mail = useMail({ receiver: { hang: true } });
  const { platform } = mail;

  it('is erased once the running delivery has ended', async () => {
    const { svc, live } = await platform.account();
    const ada = somebody();
    const { messageId } = await send(svc, naming(ada));
    await eventually(() => mail.smtp.connections() > 0, 'the delivery attempt begins');
    await erase(platform, live, ada);
    const erasing = platform.running.workers.find(({ queue }) => queue === 'svc.erasure');
    for (let look = 0; look < 3; look += 1) {
      await erasing?.idle();
      platform.clock.advance(minutes(1));
    }
    expect((await shown(svc, messageId)).message.to, 'while it is leased').to.include(ada.email);
    await mail.smtp.close();
    // The next attempts are due after one and five minutes; between them no worker has the message.
    for (let look = 0; look < 3; look += 1) {
      await platform.settled();
      platform.clock.advance(minutes(1));
    }
    await platform.settled();
    expect(await found(platform, ada)).to.deep.equal([]);
    expect((await shown(svc, messageId)).message).to.deep.include({ status: 'cancelled', to: ['bob@example.com'] });
    expect([await platform.count('svc_erasure'), await platform.count('email_queue')]).to.deep.equal([0, 0]);
  });
});

describe('Erasing a person from the local mailbox', () => {
  const platform = usePlatform();

  it('removes the mail that was kept for the person', async () => {
    const { svc, live } = await platform.account();
    const [ada, bob] = [somebody(), somebody()];
    const folder = mailboxFolder(platform.running.services.deployment);
    await send(svc, { to: bob.email });
    await platform.settled();
    const kept = await readdir(folder);
    await send(svc, { to: [ada.email, bob.email] });
    await send(svc, { to: 'help@example.com', bcc: [ada.email] });
    await platform.settled();
    expect(await readdir(folder)).to.have.length(kept.length + 2);
    await erase(platform, live, ada);
    await platform.settled();
    expect(await readdir(folder)).to.deep.equal(kept);
    expect(await found(platform, ada)).to.deep.equal([]);
  });
});
