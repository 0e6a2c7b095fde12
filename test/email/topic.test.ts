import { expect } from 'chai';
import { atOwnShard } from '#core/runtime/shard.js';
import { hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';
import { newDkimKey } from './signing/support.js';
import { headerOf, suppress, useMail } from './support.js';
import { publish } from './template/support.js';

describe('email.send under a topic', () => {
  needProducts('audience');
  const mail = useMail({ settings: { SVC_BASE_URL: 'https://localhost', SVC_MAIL_DKIM_KEY: newDkimKey() } });
  const { platform } = mail;

  /** An account with a contact who subscribed to the topic news by email. */
  const subscriber = async (email = 'ada@example.com'): Promise<TestAccount & { contactId: string }> => {
    const account = await platform.account();
    await account.svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    const { contact } = await account.svc.call('audience.contact.upsert', { email, consents });
    platform.clock.advance(1_000);
    return { ...account, contactId: contact.id };
  };
  const news = { to: 'ada@example.com', subject: 'News', text: 'What is new.', topic: 'news' };
  const later = (): string => new Date(platform.clock.now().getTime() + hours(1)).toISOString();

  it('goes to a subscriber, with a one-click unsubscribe link', async () => {
    const { svc, contactId } = await subscriber();
    const { messageId, status } = await svc.call('email.send', news);
    expect(status).to.equal('queued');
    const arrived = await mail.mailOf(messageId);
    const link = headerOf(arrived, 'List-Unsubscribe');
    expect(headerOf(arrived, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    expect(link).to.match(/^<https:\/\/\S+\/preferences\?token=svc_pf_\S+>$/);
    await platform.settled();
    const { message } = await svc.call('email.message.get', { messageId });
    expect(message).to.include({ topic: 'news', contactId, status: 'sent' });

    // The request of a mail program (RFC 8058 §3.2).
    const answer = await fetch((link ?? '').slice(1, -1).replace(/^https?:\/\/[^/]+/, platform.running.address), {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
    expect(answer.status).to.equal(200);
    const again = await svc.call('email.send', news);
    expect(again).to.deep.include({ status: 'suppressed', suppressedRecipients: ['ada@example.com'] });
    expect(again.blocked).to.include({ reason: 'no_consent' });
  });

  it('has preferencesUrl and legalAddress in its texts, each recipient the own page', async () => {
    const { svc } = await subscriber();
    await svc.call('audience.contact.upsert', {
      email: 'grace@example.com',
      consents: [{ topic: 'news', channel: 'email', source: 'form' }],
    });
    platform.clock.advance(1_000);
    await svc.call('email.sender.set', { legalAddress: 'Acme, 1 Main Street' });
    const text = 'Stop: {{ preferencesUrl }} {{ legalAddress }}';
    const variables = { preferencesUrl: 'https://example.com/elsewhere' };
    const letters = ['ada@example.com', 'grace@example.com'].map((to) => ({ ...news, to, text, variables }));
    const { messages } = await svc.call('email.batch.send', { messages: letters });
    const arrived = await Promise.all(messages.map(({ messageId }) => mail.mailOf(messageId)));
    const pages = arrived.map(({ parsed }) => /Stop: (\S+) Acme, 1 Main Street/.exec(parsed.text ?? '')?.[1] ?? '');
    expect(new Set(pages).size).to.equal(2);
    for (const [index, page] of pages.entries()) {
      const token = new URL(page).searchParams.get('token') ?? '';
      const shown = await platform.api.call('audience.preferences.get', { token });
      expect(shown.preferences.email).to.match(index === 0 ? /^a/ : /^g/);
      expect(headerOf(arrived[index] ?? expect.fail(), 'List-Unsubscribe')).to.contain('/preferences?token=svc_pf_');
    }
  });

  it('shows them in the footer of a template’s layout', async () => {
    const { svc } = await subscriber();
    await svc.call('email.sender.set', { legalAddress: 'Acme, 1 Main Street' });
    await publish(svc, 'letter', { en: { subject: 'News', html: '<p>What is new.</p>' } });
    const { messageId } = await svc.call('email.send', { to: 'ada@example.com', template: 'letter', topic: 'news' });
    const { parsed } = await mail.mailOf(messageId);
    expect(parsed.html)
      .to.match(/href="https:\/\/localhost\/preferences\?token=svc_pf_/)
      .and.to.contain('1 Main Street');
  });

  it('is stored as suppressed, not refused, if no contact has the address that preferencesUrl would be for', async () => {
    const { svc } = await subscriber();
    const answer = await svc.call('email.send', { ...news, to: 'nobody@example.com', text: '{{ preferencesUrl }}' });
    expect(answer.status).to.equal('suppressed');
  });

  it('has no preferencesUrl without a topic', async () => {
    const { svc } = await subscriber();
    const refused = await svc.refusal('email.send', {
      to: 'ada@example.com',
      subject: 'Hi',
      text: '{{ preferencesUrl }}',
    });
    expect(refused.code).to.equal('missing_variables');
  });

  it('is stored as suppressed when the recipient has not subscribed', async () => {
    const { svc, live } = await subscriber('bob@example.com');
    const { status, blocked } = await svc.call('email.send', news);
    expect(status).to.equal('suppressed');
    expect(blocked?.reason).to.equal('no_consent');
    expect(blocked?.fix).to.match(/audience\.consent\.grant/);
    expect((await platform.events(live)).filter(({ type }) => type === 'email.suppressed')).to.have.length(1);
  });

  it('tells somebody who was never asked from somebody who said no, and says when and where', async () => {
    const { svc, live, contactId } = await subscriber();
    const sendAfter = later();
    const waiting = await svc.call('email.send', { ...news, sendAfter });
    const since = platform.clock.now().toISOString();
    const source = 'support call';
    const { consents } = await svc.call('audience.consent.revoke', {
      contactId,
      topic: 'news',
      channel: 'email',
      source,
    });
    const said = { rule: 'opted_out', since, source, recordId: consents[0]?.id };
    platform.clock.advance(hours(1));
    const bob = { ...news, to: 'bob@example.com' };
    const [optedOut, neverAsked] = [await svc.call('email.send', news), await svc.call('email.send', bob)];
    const { messages: batch } = await svc.call('email.batch.send', { messages: [news, bob] });
    await platform.settled();
    const delivered = await svc.call('email.message.get', { messageId: waiting.messageId });
    const { messages } = await svc.call('email.message.list', { to: news.to, status: 'suppressed' });
    expect(messages).to.have.length(3);
    const events = (await platform.events(live)).filter(({ type }) => type === 'email.suppressed');
    const inEvents = events.map(({ data }) => data).filter((data) => JSON.stringify(data).includes(news.to));
    expect(inEvents).to.have.length(3);
    for (const data of inEvents) expect(data).to.have.nested.property('message.blocked.details').deep.equal(said);
    for (const blocked of [
      optedOut.blocked,
      batch[0]?.blocked,
      delivered.message.blocked,
      ...messages.map((message) => message.blocked),
    ]) {
      expect(blocked).to.deep.include({ reason: 'no_consent', details: said });
      expect(blocked?.message).to.match(
        /unsubscribed from the topic “news” on email on \d+ \w+ \d{4} \(source: support call\)/,
      );
      expect(blocked?.fix).to.match(/^Do not send it.*audience\.preferences\.link/);
    }
    for (const blocked of [neverAsked.blocked, batch[1]?.blocked]) {
      expect(blocked?.reason).to.equal('no_consent');
      expect(blocked?.details).to.deep.equal({ rule: 'never_asked', since: null, source: null, recordId: null });
      expect(blocked?.message).to.match(/^No consent to/);
      expect(blocked?.fix).to.match(/^Record the consent with audience\.consent\.grant/);
    }
  });

  it('names the suppression that stops it', async () => {
    const { svc } = await subscriber();
    const { suppression } = await svc.call('audience.suppression.add', { email: news.to });
    const { blocked } = await svc.call('email.send', news);
    const { id: recordId, createdAt: since } = suppression;
    expect(blocked?.details).to.deep.equal({ rule: 'suppressed', since, source: 'manual', recordId });
  });

  it('tells when the topic does not have the channel, or was archived after the message was accepted', async () => {
    const { svc } = await subscriber();
    const waiting = await svc.call('email.send', { ...news, sendAfter: later() });
    await svc.call('audience.topic.update', { topic: 'news', channels: ['sms'] });
    const { status, blocked } = await svc.call('email.send', news);
    expect(status).to.equal('suppressed');
    expect(blocked?.reason).to.equal('no_consent');
    expect(blocked?.message).to.contain('does not have the channel email');
    expect(blocked?.fix).to.match(/Add the channel email.*audience\.topic\.update/);
    await svc.call('audience.topic.archive', { topic: 'news' });
    platform.clock.advance(hours(1));
    await platform.settled();
    const { message } = await svc.call('email.message.get', { messageId: waiting.messageId });
    expect(message).to.include({ status: 'suppressed' });
    expect(message.blocked?.reason).to.equal('no_consent');
    expect(message.blocked?.message).to.contain('archived');
    expect(message.blocked?.fix).to.contain('audience.topic.restore');
  });

  it('refuses an unknown topic, naming it, and an archived one', async () => {
    const { svc } = await subscriber();
    const unknown = await svc.refusal('email.send', { ...news, topic: 'newz' });
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(unknown.message).to.include('newz');
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await svc.refusal('email.send', news)).to.include({ status: 409, code: 'topic_archived' });
  });

  it('allows exactly one recipient and no List-* headers', async () => {
    const { svc } = await subscriber();
    const wrong = {
      to: { to: ['ada@example.com', 'bob@example.com'] },
      cc: { cc: ['bob@example.com'] },
      bcc: { bcc: ['bob@example.com'] },
      'headers.list-unsubscribe': { headers: { 'list-unsubscribe': '<https://example.com/>' } },
    };
    for (const [field, part] of Object.entries(wrong)) {
      const refused = await svc.refusal('email.send', { ...news, ...part });
      expect(refused, field).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details).to.deep.equal({ field });
    }
  });

  it('does not send to a recipient who unsubscribed after it was accepted', async () => {
    const { svc, live, contactId } = await subscriber();
    const { messageId, status } = await svc.call('email.send', { ...news, sendAfter: later() });
    expect(status).to.equal('queued');
    await svc.call('audience.consent.revoke', { contactId, channel: 'email', source: 'call' });
    platform.clock.advance(hours(1));
    await platform.settled();
    const { message, timeline, attempts } = await svc.call('email.message.get', { messageId });
    expect(message).to.deep.include({ status: 'suppressed', suppressedRecipients: ['ada@example.com'], sentAt: null });
    expect(message.blocked).to.include({ reason: 'no_consent' });
    expect(timeline.map((each) => each.status)).to.deep.equal(['queued', 'suppressed']);
    expect(attempts).to.deep.equal([]);
    expect(mail.arrivalsOf(messageId)).to.deep.equal([]);
    expect((await platform.events(live)).at(-1)).to.deep.include({ type: 'email.suppressed', subjectId: messageId });
  });

  it('leaves out only the recipient who was suppressed meanwhile', async () => {
    const { svc } = await platform.account();
    const to = ['ada@example.com', 'bob@example.com'];
    const { messageId } = await svc.call('email.send', { to, subject: 'Order', text: 'Yours.', sendAfter: later() });
    await svc.call('audience.suppression.add', { email: 'Ada@Example.com' });
    platform.clock.advance(hours(1));
    const arrived = await mail.mailOf(messageId);
    expect(arrived.recipients).to.deep.equal(['bob@example.com']);
    await platform.settled();
    const { message, recipients } = await svc.call('email.message.get', { messageId });
    expect(message).to.deep.include({ status: 'sent', suppressedRecipients: ['ada@example.com'], blocked: null });
    expect(recipients.map((each) => each.status)).to.deep.equal(['suppressed', 'sent']);
  });

  it('suppresses mail without a topic too, unless the person only unsubscribed', async () => {
    const { svc, live } = await platform.account();
    const expected = [
      ['bounce', 'suppressed'],
      ['complaint', 'suppressed'],
      ['manual', 'suppressed'],
      ['unsubscribe', 'queued'],
    ] as const;
    for (const [reason, status] of expected) {
      const to = `${reason}@example.com`;
      await suppress(platform, live, to, reason);
      const sent = await svc.call('email.send', { to, subject: 'Order', text: 'Yours.' });
      expect([reason, sent.status, sent.blocked?.reason ?? null]).to.deep.equal([
        reason,
        status,
        status === 'queued' ? null : 'suppressed_recipient',
      ]);
    }
  });

  it('rechecks in a test environment too: a removed member gets nothing', async () => {
    const { svcTest, ownerEmail, accountId } = await platform.account();
    const { messageId } = await svcTest.call('email.send', {
      to: ownerEmail,
      subject: 'A',
      text: 'B',
      sendAfter: later(),
    });
    const { database } = platform.running.services;
    await database.run("UPDATE account_member SET status = 'removed' WHERE account_id = UNHEX(?)", [
      accountId.replaceAll('-', ''),
    ]);
    platform.clock.advance(hours(1));
    await platform.settled();
    const { message } = await svcTest.call('email.message.get', { messageId });
    expect(message.status).to.equal('suppressed');
    expect(message.blocked?.reason).to.equal('test_environment');
  });
});

describe('email.send without the audience product', () => {
  const mail = useMail({ settings: { SVC_PRODUCTS: 'email' } });

  it('refuses the field topic, and the API description does not have it', async () => {
    const { svc } = await mail.platform.account();
    const input = { to: 'ada@example.com', subject: 'News', text: 'What is new.' };
    const refused = await svc.refusal('email.send', { ...input, topic: 'news' });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.details).to.deep.equal({ field: 'topic' });
    expect(refused.message).to.equal(
      'The field “topic” needs the product audience, which is not enabled in this deployment.',
    );
    expect(refused.fix).to.contain('Leave “topic” out, or add audience to SVC_PRODUCTS');
    const inBatch = await svc.refusal('email.batch.send', { messages: [{ ...input, topic: 'news' }] });
    expect([inBatch.details['field'], inBatch.message]).to.deep.equal([
      'messages[0].topic',
      'The field “messages[0].topic” needs the product audience, which is not enabled in this deployment.',
    ]);
    expect((await svc.refusal('email.send', { ...input, topics: 'news' })).message).to.contain('is not known here');
    const { text } = await mail.platform.api.raw(atOwnShard('/openapi.json'), undefined, { method: 'GET' });
    expect(text).not.to.match(/"topic":\{"type":"string","minLength"/);
    const { messageId } = await svc.call('email.send', input);
    expect(headerOf(await mail.mailOf(messageId), 'List-Unsubscribe')).to.equal(undefined);
  });
});

describe('Mail under a topic, of a server without https', () => {
  needProducts('audience');
  const mail = useMail();

  it('carries an unsubscribe link, and does not offer one-click unsubscribe (RFC 8058 §3.1)', async () => {
    const { svc } = await mail.platform.account();
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await svc.call('audience.contact.upsert', { email: 'ada@example.com', consents });
    const { messageId } = await svc.call('email.send', {
      to: 'ada@example.com',
      subject: 'News',
      text: 'What is new.',
      topic: 'news',
    });
    const arrived = await mail.mailOf(messageId);
    expect(headerOf(arrived, 'List-Unsubscribe')).to.match(/^<http:/);
    expect(headerOf(arrived, 'List-Unsubscribe-Post') ?? null).to.equal(null);
  });
});
