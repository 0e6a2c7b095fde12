import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';
import { draft, problemsOf, publish, publisher, reached, shown, subscribe } from './support.js';

describe('email.broadcast.create', () => {
  const platform = usePlatform();

  it('keeps a draft, says everything that is missing at once, and refuses none of it', async () => {
    const { svc, live } = await platform.account();
    const created = await svc.call('email.broadcast.create', {
      name: 'November news',
      template: 'nothing',
      topic: 'unknown',
      from: 'hello@elsewhere.example',
      scheduledAt: '2030-12-01T08:00:00Z',
    });
    expect(created.broadcast).to.deep.include({
      name: 'November news',
      status: 'draft',
      counts: null,
      sentAt: null,
      scheduledAt: '2030-12-01T08:00:00.000Z',
      variables: {},
      subject: null,
      segmentId: null,
    });
    expect(created.readiness.ok).to.equal(false);
    expect(problemsOf(created)).to.deep.equal([
      'sender_not_verified',
      'legal_address_missing',
      'topic_unknown',
      'template_not_published',
    ]);
    expect(created.readiness.audience).to.deep.include({
      eligible: 0,
      noConsent: 0,
      optedOut: 0,
      suppressed: 0,
      exact: true,
    });
    for (const { message, fix } of created.readiness.problems) expect([message, fix]).not.to.include('');
    const [event] = (await platform.events(live)).filter(({ type }) => type === 'email.broadcast.created');
    expect(event?.data).to.deep.equal({ broadcast: created.broadcast });
  });

  it('counts whom it would reach: eligible, without consent and suppressed contacts of the segment', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await subscribe(sender, ['ada@example.com', 'bob@example.com'], { properties: { plan: 'pro' } });
    await subscribe(sender, ['cy@example.com', 'dan@example.com']);
    await svc.call('audience.contact.upsert', { email: 'eve@example.com', properties: { plan: 'pro' } });
    await svc.call('audience.contact.upsert', { externalId: 'without-address' });
    await svc.call('audience.suppression.add', { email: 'bob@example.com' });
    const all = await svc.call('email.broadcast.create', draft(sender));
    expect(all.readiness.audience).to.deep.include({
      eligible: 3,
      noConsent: 1,
      optedOut: 0,
      suppressed: 1,
      exact: true,
    });
    expect(problemsOf(all)).not.to.include('audience_empty');
    const { segment } = await svc.call('audience.segment.create', {
      name: 'Pros',
      definition: { field: 'properties.plan', op: 'eq', value: 'pro' },
    });
    const { broadcastId } = { broadcastId: all.broadcast.id };
    const pros = await svc.call('email.broadcast.update', { broadcastId, segmentId: segment.id });
    expect(pros.readiness.audience).to.deep.include({
      eligible: 1,
      noConsent: 1,
      optedOut: 0,
      suppressed: 1,
      exact: true,
    });
    await svc.call('audience.segment.delete', { segmentId: segment.id });
    const without = await svc.call('email.broadcast.get', { broadcastId });
    expect(problemsOf(without)).to.include('audience_empty');
  });

  it('says so when nobody would get it, and when the topic is archived or not for email', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    const { broadcast, ...created } = await svc.call('email.broadcast.create', draft(sender));
    expect(problemsOf({ broadcast, ...created })).to.include('audience_empty');
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(problemsOf(await svc.call('email.broadcast.get', { broadcastId: broadcast.id }))).to.include(
      'topic_unknown',
    );
    await svc.call('audience.topic.create', { key: 'texts', name: 'Texts', channels: ['sms'] });
    const changed = await svc.call('email.broadcast.update', { broadcastId: broadcast.id, topic: 'texts' });
    expect(changed.readiness.problems.find(({ code }) => code === 'topic_unknown')?.message).to.contain(
      'channel email',
    );
  });

  it('names fields that contacts do not have, such as a misspelt one, and properties of none of them', async () => {
    const sender = await publisher(platform);
    await subscribe(sender, ['ada@example.com'], { properties: { plan: 'pro' } });
    const text =
      '{{ contact.fristName }} {{ contact.properties.plna }} {{ contact.properties.plan }} {{ contact.city | default: "here" }}';
    await publish(sender, { en: { subject: 'News', text } });
    const { readiness } = await sender.svc.call('email.broadcast.create', draft(sender));
    expect(readiness.problems.map(({ code }) => code)).to.deep.equal(['variables_missing']);
    expect(readiness.problems[0]?.message).to.contain('needs contact.fristName, contact.properties.plna, which');
    expect(readiness.problems[0]?.fix).to.contain(
      '`contact` has email, phone, firstName, lastName, locale, properties.',
    );
  });

  it('names variables that nothing provides, also those of its subject, and none that has a default', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    await subscribe(sender, ['ada@example.com'], { properties: { plan: 'pro' } });
    const text = '{{ plan }} {{ nick | default: "you" }} {% if vip %}VIP{% endif %} {{ contact.firstName }}';
    await publish(sender, {
      en: { subject: 'News of {{ month }}', text },
      de: { subject: 'Neues', text: '{{ stadt }}' },
    });
    const created = await svc.call('email.broadcast.create', draft(sender));
    const missing = created.readiness.problems.map(({ code, message }) => [
      code,
      /needs (.*), which/.exec(message)?.[1],
    ]);
    expect(missing).to.deep.equal([['variables_missing', 'stadt, month']]);
    const broadcastId = created.broadcast.id;
    const variables = { stadt: 'Bonn' };
    const named = await svc.call('email.broadcast.update', { broadcastId, variables, subject: 'Hi {{ nickname }}' });
    expect(named.readiness.problems.map(({ message }) => message).join()).to.contain('needs nickname, which');
    const ready = await svc.call('email.broadcast.update', {
      broadcastId,
      subject: 'Hi {{ nickname | default: "you" }}',
    });
    expect(ready.readiness).to.deep.include({ ok: true, problems: [] });
    await svc.call('email.broadcast.send', { broadcastId });
    await reached(sender, broadcastId, 'sent');
    expect((await shown(sender, broadcastId)).counts).to.deep.include({ recipients: 1, failed: 0 });
  });

  it('refuses a segment that does not exist, a wrong address and a subject that is not a template', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    const unknown = await svc.refusal('email.broadcast.create', draft(sender, { segmentId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    for (const [given, field] of [
      [{ from: 'a@@example.com' }, 'from'],
      [{ subject: 'Hello {{ name' }, 'subject'],
      [{ subject: 'Hello\nthere' }, 'subject'],
      [{ name: ' ' }, 'name'],
    ] as const) {
      const refused = await svc.refusal('email.broadcast.create', draft(sender, given));
      expect([refused.status, refused.code, refused.details['field']]).to.deep.equal([400, 'invalid_input', field]);
    }
  });
});

describe('The audit record of email.broadcast.create', () => {
  const platform = usePlatform();

  it('says what the draft was made of', async () => {
    const sender = await publisher(platform);
    const given = draft(sender, { subject: 'News', variables: { month: 'May' }, scheduledAt: '2030-12-01T08:00:00Z' });
    const { activityId } = await sender.svc.envelope('email.broadcast.create', given);
    const set = (field: string, to: unknown): object => ({ field, from: null, to });
    const { from } = sender;
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      set('name', 'November news'),
      set('template', 'news'),
      set('topic', 'news'),
      set('variables', { month: 'May' }),
      set('scheduledAt', '2030-12-01T08:00:00.000Z'),
      set('from', from),
      set('subject', 'News'),
    ]);
    const plain = await sender.svc.envelope('email.broadcast.create', draft(sender));
    expect((await auditOf(platform, plain.activityId)).changes).to.deep.equal([
      set('name', 'November news'),
      set('template', 'news'),
      set('topic', 'news'),
      set('from', from),
    ]);
  });
});

describe('email.broadcast.update', () => {
  const platform = usePlatform();

  it('changes what is given and keeps the rest; null takes subject, segment and time away', async () => {
    const sender = await publisher(platform);
    const { svc, live } = sender;
    const made = await svc.call(
      'email.broadcast.create',
      draft(sender, { subject: 'News', variables: { month: 'May' }, scheduledAt: '2030-12-01T08:00:00Z' }),
    );
    const broadcastId = made.broadcast.id;
    const { broadcast } = await svc.call('email.broadcast.update', { broadcastId, subject: null, scheduledAt: null });
    expect(broadcast).to.deep.include({
      subject: null,
      scheduledAt: null,
      variables: { month: 'May' },
      name: 'November news',
    });
    expect((await svc.call('email.broadcast.get', { broadcastId })).broadcast).to.deep.equal(broadcast);
    await svc.call('email.broadcast.update', { broadcastId, subject: null });
    const updates = (await platform.events(live)).filter(({ type }) => type === 'email.broadcast.updated');
    expect(updates).to.have.length(1);
  });
});

describe('email.broadcast.list', () => {
  const platform = usePlatform();

  it('shows the environment’s broadcasts, newest first, by status and in pages', async () => {
    const sender = await publisher(platform);
    const { svc } = sender;
    const names = ['one', 'two', 'three'];
    for (const name of names) await svc.call('email.broadcast.create', draft(sender, { name }));
    const first = await svc.call('email.broadcast.list', { limit: 2, status: 'draft' });
    expect(first.broadcasts.map(({ name }) => name)).to.deep.equal(['three', 'two']);
    const rest = await svc.call('email.broadcast.list', { before: first.nextBefore ?? '' });
    expect(rest.broadcasts.map(({ name }) => name)).to.deep.equal(['one']);
    expect((await svc.call('email.broadcast.list', { status: 'sent' })).broadcasts).to.deep.equal([]);
    const other = await platform.account();
    expect((await other.svc.call('email.broadcast.list', {})).broadcasts).to.deep.equal([]);
  });
});
