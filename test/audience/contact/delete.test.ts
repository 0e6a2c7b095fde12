import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { idBytes, newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { searchDatabase } from '#test/support/search-database.js';
import { startWebhookReceiver, type WebhookReceiver } from '#test/support/webhook-receiver.js';

/** A person whose data appear nowhere else in the database. */
function uniquePerson() {
  const mark = randomBytes(6).toString('hex');
  return {
    email: `ada.${mark}@example.com`,
    phone: `+49151${Math.floor(10_000_000 + Math.random() * 89_999_999)}`,
    externalId: `customer-${mark}`,
    firstName: `Ada${mark}`,
    ip: `203.0.113.${Math.floor(Math.random() * 250)}`,
  };
}

describe('audience.contact.delete', () => {
  const platform = usePlatform();
  const parts: { receiver?: WebhookReceiver } = {};
  before(async () => {
    parts.receiver = await startWebhookReceiver();
  });
  after(() => parts.receiver?.close());

  const found = (text: string): Promise<string[]> => searchDatabase(platform.running.services.database, text);
  const erased = async (): Promise<void> => {
    await platform.settled();
    platform.clock.advance(minutes(2));
    await platform.settled();
  };
  const contactOf = async (account: TestAccount, person = uniquePerson()) => {
    const { ip, ...facts } = person;
    const { svc } = account;
    const { contact } = await svc.call('audience.contact.upsert', {
      ...facts,
      properties: { note: `writes to ${person.email}` },
    });
    return { contactId: contact.id, person, ip };
  };

  itNeeding('email')(
    'erases the person everywhere: events, audit records, stored answers, deliveries, messages',
    async () => {
      const account = await platform.account();
      const { svc } = account;
      await svc.call('audience.topic.create', { key: 'news', name: 'News' });
      const { contactId, person, ip } = await contactOf(account);
      const { email, phone } = person;
      const key = (): { idempotencyKey: string } => ({ idempotencyKey: newId() });
      const grant = { contactId, topic: 'news', channel: 'email' as const, source: 'form', ip };
      await svc.call('audience.consent.grant', grant, key());
      await svc.call(
        'audience.contact.update',
        { contactId, email: `new.${email}`, lastName: `L ${person.firstName}` },
        key(),
      );
      await svc.call(
        'email.send',
        { to: [`new.${email}`, 'bob@example.com'], subject: email, html: `<p>${email}</p>` },
        key(),
      );
      await svc.call(
        'email.send',
        { to: `new.${email}`, topic: 'news', subject: 'News', text: email, tags: { who: email } },
        key(),
      );
      await svc.call('audience.event.record', {
        contactId,
        name: 'order.placed',
        properties: { to: email },
        eventId: 'one',
      });
      await svc.call('audience.suppression.add', { email, note: `asked by ${email}` }, key());
      await svc.call('audience.suppression.add', { phone }, key());
      const { token } = await svc.call('audience.preferences.link', { contactId });
      await platform.api.call('audience.preferences.set', { token, sms: { unsubscribeAll: true } }, key());
      await platform.settled();
      const marks = [email, phone.slice(1), person.externalId, person.firstName];
      for (const mark of marks) expect(await found(mark), 'the search finds stored data').not.to.deep.equal([]);

      const { deleted } = await svc.call('audience.contact.delete', { contactId }, key());
      expect(deleted).to.equal(true);
      await erased();
      for (const mark of [...marks, ip]) expect(await found(mark), mark).to.deep.equal([]);
    },
  );

  it('erases the receiver’s echoed answers in webhook deliveries', async () => {
    const { svcTest } = await platform.account();
    await svcTest.call('developers.webhook.create', { url: parts.receiver?.url ?? '', eventTypes: ['audience.*'] });
    const { email } = uniquePerson();
    const { contact } = await svcTest.call('audience.contact.upsert', { email });
    await platform.settled();
    expect(parts.receiver?.received.some(({ body }) => body.includes(email))).to.equal(true);
    await svcTest.call('audience.contact.delete', { contactId: contact.id });
    await erased();
    expect(await found(email)).to.deep.equal([]);
  });

  it('writes one event and one audit record that name nobody, and answers a repeat as done', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    const { contactId } = await contactOf(account);
    const first = await svc.envelope('audience.contact.delete', { contactId });
    const again = await svc.envelope('audience.contact.delete', { contactId });
    expect(again.result).to.deep.equal({ contactId, deleted: false, remaining: [] });
    await erased();
    const events = (await platform.events(live)).filter(({ type }) => type === 'audience.contact.deleted');
    expect(events).to.have.length(1);
    expect(events[0]).to.deep.include({ subjectId: contactId, data: { contactId }, activityId: first.activityId });
    const { activity } = await svc.call('account.activity.get', { activityId: first.activityId });
    expect(activity).to.deep.include({ summary: 'Erased a contact.', subject: { type: 'contact', id: contactId } });
  });

  it('keeps the consent records and opt-outs', async () => {
    const account = await platform.account();
    const { svc } = account;
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const { contactId, person } = await contactOf(account);
    const { email } = person;
    const formerly = platform.clock.now().toISOString();
    platform.clock.advance(1_000);
    await svc.call('audience.consent.revoke', { contactId, topic: 'news', channel: 'email', source: 'call' });
    platform.clock.advance(1_000);
    await svc.call('audience.contact.delete', { contactId });
    const { consents } = await svc.call('audience.consent.list', { contactId });
    expect(consents.map(({ state }) => state)).to.deep.equal(['revoked']);

    // The same person comes back: what was given before the opt-out is recorded, and changes nothing.
    const claim = { topic: 'news', channel: 'email' as const, source: 'old list', givenAt: formerly };
    const { contact } = await svc.call('audience.contact.upsert', { email, consents: [claim] });
    expect(contact.id).not.to.equal(contactId);
    expect((await svc.call('audience.contact.get', { email })).consents).to.deep.equal([]);
    const givenAt = platform.clock.now().toISOString();
    await svc.call('audience.contact.upsert', { email, consents: [{ ...claim, source: 'new form', givenAt }] });
    expect((await svc.call('audience.contact.get', { email })).consents).to.have.length(1);
  });

  itNeeding('email')('keeps suppressions in force without the address, also for a person who comes back', async () => {
    const account = await platform.account();
    const { svc } = account;
    const person = uniquePerson();
    // Older than the contact: its event and stored answer can only be found by the address.
    await svc.call(
      'audience.suppression.add',
      { email: person.email, note: 'asked by phone' },
      { idempotencyKey: newId() },
    );
    const { contactId } = await contactOf(account, person);
    await svc.call('audience.contact.delete', { contactId });
    await erased();
    expect(await found(person.email)).to.deep.equal([]);
    const { suppressions } = await svc.call('audience.suppression.list', { email: person.email });
    expect(suppressions[0]).to.include({ email: null, note: null, reason: 'manual', liftedAt: null });
    const { status } = await svc.call('email.send', { to: person.email, subject: 'A', text: 'B' });
    expect(status).to.equal('suppressed');
  });

  itNeeding('email')('does not erase another contact that now has a former address of the person', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { contactId, person } = await contactOf(account);
    await svc.call('audience.contact.update', { contactId, email: null });
    const other = await svc.call('audience.contact.upsert', { email: person.email, externalId: 'other' });
    const { messageId } = await svc.call('email.send', { to: person.email, subject: 'Yours', text: 'Kept.' });
    await platform.settled();
    await svc.call('audience.contact.delete', { contactId });
    await erased();
    const { message, content } = await svc.call('email.message.get', { messageId });
    expect(message).to.deep.include({ to: [person.email], contactId: other.contact.id });
    expect(content?.text).to.equal('Kept.');
  });

  itNeeding('email')('does not erase mail to a new contact with the same address', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { contactId, person } = await contactOf(account);
    await svc.call('audience.contact.delete', { contactId });
    platform.clock.advance(1_000);
    const back = await svc.call('audience.contact.upsert', { email: person.email });
    const { messageId } = await svc.call('email.send', {
      to: person.email,
      subject: 'Welcome back',
      text: 'Kept.',
      sendAfter: new Date(platform.clock.now().getTime() + minutes(60)).toISOString(),
    });
    await erased();
    const { message, content } = await svc.call('email.message.get', { messageId });
    expect(message).to.deep.include({ status: 'queued', to: [person.email], contactId: back.contact.id });
    expect(content?.text).to.equal('Kept.');
  });

  it('deletes once under concurrent calls, and answers the others as done', async () => {
    const account = await platform.account();
    const { contactId } = await contactOf(account);
    const calls = Array.from({ length: 6 }, () => account.svc.call('audience.contact.delete', { contactId }));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ deleted }) => deleted)).to.have.length(1);
  });

  it('answers not_found for another environment’s contact and for an unknown one', async () => {
    const [account, stranger] = [await platform.account(), await platform.account()];
    const { contactId } = await contactOf(account);
    for (const [svc, id] of [
      [stranger.svc, contactId],
      [account.svcTest, contactId],
      [account.svc, newId()],
    ] as const) {
      const refused = await svc.refusal('audience.contact.delete', { contactId: id });
      expect(refused).to.include({ status: 404, code: 'not_found' });
    }
    expect(await platform.count('audience_contact', `id = 0x${idBytes(contactId).toString('hex')}`)).to.equal(1);
  });
});
