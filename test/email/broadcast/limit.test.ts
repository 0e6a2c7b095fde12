import { expect } from 'chai';
import { connectDatabase } from '#core/runtime/database/connect.js';
import { hours } from '#test/support/clock.js';
import { insertSubscribers } from '#test/support/contact-rows.js';
import { eventually } from '#test/support/eventually.js';
import { sqlId, useMail } from '../support.js';
import { draft, problemsOf, publish, publisher, reached, sendBroadcast, shown, subscribe } from './support.js';
import { skipOnVitess } from '#test/support/vitess.js';

describe('How many contacts one broadcast may go to', function () {
  this.timeout(60_000);
  const mail = useMail({ settings: { SVC_BROADCAST_RECIPIENTS: '3' } });
  const { platform } = mail;

  const messagesOf = (broadcastId: string): Promise<number> =>
    platform.count('email_message', `broadcast_id = ${sqlId(broadcastId)}`);

  it('a draft for more is refused, its readiness says so, and a segment makes it small enough', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@large.example', 'b@large.example', 'c@large.example'], { properties: { plan: 'pro' } });
    await subscribe(sender, ['d@large.example']);
    const { broadcast, ...created } = await svc.call('email.broadcast.create', draft(sender));
    const broadcastId = broadcast.id;
    expect(problemsOf({ broadcast, ...created })).to.deep.equal(['audience_too_large']);
    expect(created.readiness.problems[0]?.message).to.equal('It would reach 4 contacts; the maximum is 3.');
    const refused = await svc.refusal('email.broadcast.send', { broadcastId });
    expect(refused).to.include({
      status: 400,
      code: 'audience_too_large',
      message: 'The broadcast would reach 4 contacts, above the limit of 3 for one broadcast.',
    });
    expect(refused.fix).to.contain('segmentId');
    expect(await shown(sender, broadcastId)).to.deep.include({ status: 'draft', counts: null });
    expect(await messagesOf(broadcastId)).to.equal(0);

    const definition = { field: 'properties.plan', op: 'eq', value: 'pro' };
    const { segment } = await svc.call('audience.segment.create', { name: 'Pros', definition });
    const narrowed = await svc.call('email.broadcast.update', { broadcastId, segmentId: segment.id });
    expect(narrowed.readiness).to.deep.include({ ok: true, problems: [] });
    expect((await svc.call('email.broadcast.send', { broadcastId })).recipients).to.equal(3);
    await reached(sender, broadcastId, 'sent');
  });

  it('names what else is missing beside it', async () => {
    const sender = await publisher(platform);
    await subscribe(sender, ['a@both.example', 'b@both.example', 'c@both.example', 'd@both.example']);
    const { broadcast } = await sender.svc.call('email.broadcast.create', draft(sender));
    const refused = await sender.svc.refusal('email.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ status: 409, code: 'broadcast_not_ready' });
    expect(JSON.stringify(refused.details)).to.contain('audience_too_large').and.to.contain('template_not_published');
  });

  it('a scheduled one that has outgrown it at its time is held, until it is small enough', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    await subscribe(sender, ['a@grown.example', 'b@grown.example', 'c@grown.example']);
    const scheduledAt = new Date(platform.clock.now().getTime() + hours(1)).toISOString();
    const broadcastId = await sendBroadcast(sender, { scheduledAt });
    await subscribe(sender, ['d@grown.example']);
    expect(problemsOf(await svc.call('email.broadcast.get', { broadcastId }))).to.deep.equal(['audience_too_large']);
    platform.clock.advance(hours(1));
    await reached(sender, broadcastId, 'held');
    const held = await svc.call('email.broadcast.get', { broadcastId });
    expect(held.broadcast).to.deep.include({ holdReason: 'audience_too_large', counts: null, sentAt: null });
    expect(problemsOf(held)).to.deep.equal(['audience_too_large']);
    await svc.call('audience.suppression.add', { email: 'd@grown.example' });
    await svc.call('email.broadcast.resume', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 3, sent: 3 });
  });

  it('one that the call could not count to the end is counted before its first message, and held where it is too large', async function () {
    skipOnVitess(this, 'LOCK TABLES');
    await platform.restart({ SVC_BROADCAST_RECIPIENTS: '20050' });
    const sender = await publisher(platform);
    const { svc, live } = sender;
    await publish(sender, { en: { subject: 'News', text: 'Hello' } });
    // No index lists its contacts, or the others: it is counted in steps.
    const definition = { field: 'email', op: 'contains', value: 'long.example' };
    const { segment } = await svc.call('audience.segment.create', { name: 'Long', definition });
    const { broadcast } = await svc.call('email.broadcast.create', { ...draft(sender), segmentId: segment.id });
    const broadcastId = broadcast.id;
    const own = await connectDatabase({ url: platform.databaseUrl, poolSize: 1 });
    await insertSubscribers(own, sqlId(live.id), { count: 20_100, topic: 'news', domain: 'long.example' });
    // The first step of the count, 20,000 contacts, waits until the 4 seconds are over.
    await own.run('LOCK TABLES audience_contact WRITE');
    const sending = svc.call('email.broadcast.send', { broadcastId });
    const began = performance.now();
    await eventually(() => performance.now() - began > 4_500, 'the time for counting is over');
    await own.run('UNLOCK TABLES');
    await own.close();
    const sent = await sending;
    expect(sent).to.deep.include({ recipients: 20_000 });
    expect(sent.broadcast).to.deep.include({ status: 'scheduled', scheduledAt: null, counts: null, sentAt: null });
    await reached(sender, broadcastId, 'held');
    const held = await svc.call('email.broadcast.get', { broadcastId });
    expect(held.broadcast).to.deep.include({ holdReason: 'audience_too_large', counts: null, sentAt: null });
    expect(held.readiness.problems.map(({ message }) => message)).to.deep.equal([
      'It would reach 20100 contacts; the maximum is 20050.',
    ]);
    expect(await messagesOf(broadcastId)).to.equal(0);
    const types = (await platform.events(live))
      .map(({ type }) => type)
      .filter((type) => type.startsWith('email.broadcast.'));
    expect(types).to.deep.equal(['email.broadcast.created', 'email.broadcast.queued', 'email.broadcast.paused']);

    await platform.restart({ SVC_BROADCAST_RECIPIENTS: '20100' });
    await svc.call('email.broadcast.resume', { broadcastId });
    await reached(sender, broadcastId, 'sending');
    await svc.call('email.broadcast.cancel', { broadcastId });
  });
});
