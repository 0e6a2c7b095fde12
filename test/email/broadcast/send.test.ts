import { expect } from 'chai';
import { hours, minutes } from '#test/support/clock.js';
import { headerOf, sqlId, useMail } from '../support.js';
import { newDkimKey } from '../signing/support.js';
import { draft, publish, publisher, reached, sendBroadcast, shown, subscribe } from './support.js';

const news = { en: { subject: 'News for {{ contact.firstName }}', text: 'Hello {{ name }}, it is {{ month }}.' } };

describe('email.broadcast.send', () => {
  const mail = useMail({ settings: { SVC_BASE_URL: 'https://localhost', SVC_MAIL_DKIM_KEY: newDkimKey() } });
  const { platform } = mail;

  const to = (address: string) => mail.smtp.received.filter(({ recipients }) => recipients.includes(address));

  it('sends everybody who granted the topic a mail of their own, and nobody else', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, news);
    await subscribe(sender, ['ada@one.example'], { firstName: 'Ada', properties: { name: 'Countess' } });
    await subscribe(sender, ['bob@one.example'], { firstName: 'Bob' });
    await subscribe(sender, ['cy@one.example']);
    await svc.call('audience.contact.upsert', { email: 'dan@one.example' });
    await svc.call('audience.suppression.add', { email: 'cy@one.example' });
    const { broadcast } = await svc.call(
      'email.broadcast.create',
      draft(sender, { variables: { name: 'friend', month: 'May' } }),
    );
    const sent = await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    expect(sent.recipients).to.equal(2);
    expect(sent.broadcast).to.deep.include({ status: 'sending', templateVersion: 1 });
    await reached(sender, broadcast.id, 'sent');
    const { counts, completedAt } = await shown(sender, broadcast.id);
    expect(counts).to.deep.include({ recipients: 2, sent: 2, queued: 0, held: 0, failed: 0 });
    expect(completedAt).to.be.a('string');
    const [ada, ...more] = to('ada@one.example');
    expect(more).to.deep.equal([]);
    expect(ada?.parsed.subject).to.equal('News for Ada');
    expect(ada?.parsed.text).to.contain('Hello Countess, it is May.');
    expect(to('bob@one.example')[0]?.parsed.text).to.contain('Hello friend, it is May.');
    expect([...to('cy@one.example'), ...to('dan@one.example')]).to.deep.equal([]);
  });

  it('keeps whom it left out and why, as they were when its messages were made', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    const [, , no = '', late = ''] = await subscribe(
      sender,
      ['a', 'gone', 'no', 'late'].map((name) => `${name}@left.example`),
    );
    for (const name of ['never', 'asked']) await svc.call('audience.contact.upsert', { email: `${name}@left.example` });
    await svc.call('audience.contact.upsert', { externalId: 'without-address' });
    await svc.call('audience.suppression.add', { email: 'gone@left.example' });
    const revoke = (contactId: string) =>
      svc.call('audience.consent.revoke', { contactId, topic: 'news', channel: 'email', source: 'call' });
    await revoke(no);
    const { broadcast, readiness } = await svc.call('email.broadcast.create', draft(sender));
    expect(broadcast.audience).to.equal(null);
    expect(readiness.audience).to.deep.include({ eligible: 2, noConsent: 3, optedOut: 1, suppressed: 1, exact: true });
    await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    await reached(sender, broadcast.id, 'sent');
    // What they say later changes nothing of what was.
    await revoke(late);
    await svc.call('audience.contact.upsert', { email: 'new@left.example' });
    const audience = { eligible: 2, neverAsked: 2, optedOut: 1, suppressed: 1, exact: true };
    expect((await shown(sender, broadcast.id)).audience).to.deep.equal(audience);
    const { broadcasts } = await svc.call('email.broadcast.list', {});
    expect(broadcasts[0]?.audience).to.deep.equal(audience);
  });

  it('states for a message that was stopped after it was created when and where the contact had opted out', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    const [contactId = ''] = await subscribe(sender, ['no@stopped.example', 'ada@stopped.example']);
    mail.smtp.onMessage = () => ({ code: 451, message: '4.7.1 Greylisted, try again later' });
    const broadcastId = await sendBroadcast(sender);
    await platform.settled();
    const no = { contactId, topic: 'news', channel: 'email' as const, source: 'call' };
    const { consents } = await svc.call('audience.consent.revoke', no);
    mail.smtp.onMessage = () => null;
    platform.clock.advance(hours(1));
    await reached(sender, broadcastId, 'sent');
    const { messages } = await svc.call('email.message.list', { broadcastId, status: 'suppressed' });
    expect(messages.map(({ to, blocked }) => [to, blocked?.details?.rule, blocked?.details?.recordId])).to.deep.equal([
      [['no@stopped.example'], 'opted_out', consents[0]?.id],
    ]);
  });

  it('gives each mail its unsubscribe link, the postal address and the sender’s name', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Here: {{ preferencesUrl }}', html: '<p>Hi</p>' } });
    await subscribe(sender, ['ada@two.example']);
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    const [arrived] = to('ada@two.example');
    if (!arrived) throw new Error('Nothing arrived.');
    const link = headerOf(arrived, 'List-Unsubscribe')?.slice(1, -1) ?? '';
    expect(headerOf(arrived, 'List-Unsubscribe-Post')).to.equal('List-Unsubscribe=One-Click');
    expect(arrived.parsed.text).to.contain(link).and.to.contain('Acme GmbH, Hauptstraße 1, Berlin');
    expect(arrived.parsed.html).to.contain(link).and.to.contain('Acme GmbH, Hauptstraße 1, Berlin');
    expect(arrived.parsed.from).to.deep.include({ name: 'Shop', address: sender.from });
  });

  it('says what its unsubscribe link is for, in the language of the template', async () => {
    const sender = await publisher(platform);
    await publish(sender, { de: { subject: 'Neues', text: 'Hallo', html: '<html><body><p>Hallo</p></body></html>' } });
    await subscribe(sender, ['eva@words.example']);
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    const [arrived] = to('eva@words.example');
    if (!arrived) throw new Error('Nothing arrived.');
    const link = headerOf(arrived, 'List-Unsubscribe')?.slice(1, -1) ?? '';
    expect(arrived.parsed.text).to.contain(`Abbestellen oder auswählen, was Sie erhalten: ${link}`);
    expect(arrived.parsed.html).to.contain(`<a href="${link}">Abbestellen oder auswählen, was Sie erhalten</a>`);
  });

  it('writes in the contact’s language, else the project’s, else the template’s', async () => {
    const sender = await publisher(platform);
    await publish(sender, {
      fr: { subject: 'Nouvelles', text: 'Bonjour' },
      de: { subject: 'Neues', text: 'Hallo' },
      en: { subject: 'News', text: 'Hello' },
    });
    await subscribe(sender, ['at@three.example'], { locale: 'de-AT' });
    await subscribe(sender, ['xx@three.example']);
    const broadcastId = await sendBroadcast(sender);
    await reached(sender, broadcastId, 'sent');
    expect(to('at@three.example')[0]?.parsed.subject).to.equal('Neues');
    expect(to('xx@three.example')[0]?.parsed.subject).to.equal('News');
    const { messages } = await sender.svc.call('email.message.list', {});
    expect(
      messages.map(({ to: [address], templateLocale, subject }) => [address, templateLocale, subject]),
    ).to.have.deep.members([
      ['at@three.example', 'de', 'Neues'],
      ['xx@three.example', 'en', 'News'],
    ]);
  });

  it('fails for a contact who lacks a variable since it was scheduled, and goes on', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Your plan: {{ plan }}' } });
    await subscribe(sender, ['ada@four.example'], { properties: { plan: 'pro' } });
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(2)).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    await subscribe(sender, ['bob@four.example']);
    platform.clock.advance(hours(2));
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 2, sent: 1, failed: 1 });
    const { messages } = await sender.svc.call('email.message.list', { status: 'failed' });
    const { recipients } = await sender.svc.call('email.message.get', { messageId: messages[0]?.messageId ?? '' });
    expect(recipients[0]).to.deep.include({ email: 'bob@four.example', status: 'failed' });
    expect(recipients[0]?.response).to.contain('missing_variables').and.to.contain('plan');
    const sent = (await sender.svc.call('email.message.list', { status: 'sent' })).messages[0]?.messageId ?? '';
    const { content } = await sender.svc.call('email.message.get', { messageId: sent });
    expect(content).to.include({ renderedNow: true }).and.have.property('text').that.contains('Your plan: pro');
  });

  it('says with each event of its messages which broadcast and contact it is about', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'For {{ contact.email }}', text: 'Hello' } });
    const ids = await subscribe(sender, ['ada@five.example', "o'neil@five.example"]);
    const broadcastId = await sendBroadcast(sender, { subject: 'It’s "May"' });
    await reached(sender, broadcastId, 'sent');
    const events = (await platform.events(sender.live)).filter(({ type }) => type === 'email.queued');
    const { messages } = await sender.svc.call('email.message.list', { limit: 10 });
    expect(events.map(({ data }) => data['message'])).to.have.deep.members(
      messages.map((message) => ({ ...message, status: 'queued', sentAt: null, templateLocale: null })),
    );
    expect(messages.map(({ contactId }) => contactId)).to.have.members(ids);
    expect(messages.every((each) => each.broadcastId === broadcastId && each.subject === 'It’s "May"')).to.equal(true);
    expect(new Set(events.map(({ activityId }) => activityId)).size).to.equal(1);
    await platform.settled();
    const log = await sender.svc.call('developers.event.list', { types: ['email.queued'] });
    expect(log.events).to.have.length(2);
  });

  it('waits for its time, over a restart, and takes the audience then', async () => {
    const sender = await publisher(platform);
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@six.example']);
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(2)).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'scheduled', counts: null, sentAt: null });
    await subscribe(sender, ['late@six.example']);
    await platform.restart();
    await platform.settled();
    expect(to('ada@six.example')).to.deep.equal([]);
    platform.clock.advance(hours(2));
    await reached(sender, broadcastId, 'sent');
    expect([...to('ada@six.example'), ...to('late@six.example')]).to.have.length(2);
  });

  it('refuses times that have passed, in drafts and when a draft is sent, so that nobody gets it unexpectedly', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@past.example']);
    const inMs = (ms: number): string => new Date(platform.clock.now().getTime() + ms).toISOString();
    const past = { code: 'invalid_input', details: { field: 'scheduledAt' } };
    const late = draft(sender, { scheduledAt: inMs(-minutes(1) - 1) });
    expect(await svc.refusal('email.broadcast.create', late)).to.deep.include(past);
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender, { scheduledAt: inMs(hours(1)) }));
    const broadcastId = broadcast.id;
    const moved = { broadcastId, scheduledAt: inMs(-hours(9000)) };
    expect(await svc.refusal('email.broadcast.update', moved)).to.deep.include(past);
    platform.clock.advance(hours(1) + minutes(1) + 1);
    const { readiness } = await svc.call('email.broadcast.get', { broadcastId });
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['schedule_passed']);
    const refused = await svc.refusal('email.broadcast.send', { broadcastId });
    expect(refused).to.deep.include(past);
    expect(refused.fix).to.contain('email.broadcast.update');
    await svc.call('email.broadcast.update', { broadcastId, name: 'Renamed' });
    expect(await shown(sender, broadcastId)).to.include({ status: 'draft', name: 'Renamed' });
    await svc.call('email.broadcast.update', { broadcastId, scheduledAt: inMs(-minutes(1)) });
    await svc.call('email.broadcast.send', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    expect(to('ada@past.example')).to.have.length(1);
  });

  it('refuses a draft that is not ready, naming every problem, and one that was sent', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender));
    const refused = await svc.refusal('email.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ status: 409, code: 'broadcast_not_ready' });
    expect(JSON.stringify(refused.details)).to.contain('template_not_published').and.to.contain('audience_empty');
    await publish(sender, { en: { subject: 'News', text: 'Hello {{ town }}' } });
    await subscribe(sender, ['ada@seven.example']);
    const missing = await svc.call('email.broadcast.get', { broadcastId: broadcast.id });
    expect(missing.readiness.problems.map(({ code }) => code)).to.deep.equal(['variables_missing']);
    await svc.call('email.broadcast.update', { broadcastId: broadcast.id, variables: { town: 'Bonn' } });
    await svc.call('email.broadcast.send', { broadcastId: broadcast.id });
    for (const operation of ['email.broadcast.send', 'email.broadcast.update'] as const) {
      const again = await svc.refusal(operation, {
        broadcastId: broadcast.id,
        ...(operation.endsWith('update') ? { name: 'x' } : {}),
      });
      expect(again).to.include({ status: 409, code: 'broadcast_not_draft' });
    }
  });

  it('is sent once by two calls at once', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@eight.example', 'bob@eight.example']);
    const { broadcast } = await svc.call('email.broadcast.create', draft(sender));
    const calls = await Promise.allSettled(
      [1, 2, 3].map(() => svc.call('email.broadcast.send', { broadcastId: broadcast.id })),
    );
    expect(calls.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    await reached(sender, broadcast.id, 'sent');
    expect(await platform.count('email_message', `broadcast_id = ${sqlId(broadcast.id)}`)).to.equal(2);
  });

  it('keeps its topic, segment and template from being removed while messages of it are to be made', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['ada@nine.example']);
    const definition = { field: 'email', op: 'exists' };
    const { segment } = await svc.call('audience.segment.create', { name: 'All', definition });
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(2)).toISOString();
    const broadcastId = await sendBroadcast(sender, { segmentId: segment.id, scheduledAt });
    expect((await svc.refusal('audience.topic.archive', { topic: 'news' })).code).to.equal('topic_in_use');
    expect((await svc.refusal('audience.segment.delete', { segmentId: segment.id })).code).to.equal('segment_in_use');
    await svc.call('email.broadcast.cancel', { broadcastId });
    await svc.call('audience.segment.delete', { segmentId: segment.id });
    await svc.call('audience.topic.archive', { topic: 'news' });
  });
});
