import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { auditOf } from '#test/audience/support.js';
import { usePlatform } from '#test/support/platform.js';
import { publish } from '../template/support.js';
import { draft, mobile, problemsOf, subscribe, texter } from './support.js';

describe('sms.broadcast.create', () => {
  const platform = usePlatform();

  it('says in its audit record what the draft was made of', async () => {
    const { svc } = await texter(platform);
    const given = draft({ variables: { month: 'May' } });
    const { activityId } = await svc.envelope('sms.broadcast.create', given);
    expect((await auditOf(platform, activityId)).changes).to.deep.equal([
      { field: 'name', from: null, to: given.name },
      { field: 'template', from: null, to: 'sale' },
      { field: 'topic', from: null, to: 'offers' },
      { field: 'variables', from: null, to: { month: 'May' } },
    ]);
  });

  it('keeps a draft, says everything that is missing at once, and refuses none of it', async () => {
    const { svc, live } = await platform.account();
    const created = await svc.call('sms.broadcast.create', {
      name: 'November sale',
      template: 'nothing',
      topic: 'unknown',
      scheduledAt: '2030-12-01T08:00:00Z',
    });
    expect(created.broadcast).to.deep.include({
      name: 'November sale',
      status: 'draft',
      counts: null,
      scheduledAt: '2030-12-01T08:00:00.000Z',
      variables: {},
      segmentId: null,
    });
    expect(problemsOf(created)).to.deep.equal(['registration_required', 'topic_unknown', 'template_not_published']);
    for (const { message, fix } of created.readiness.problems) expect([message, fix]).not.to.include('');
    await platform.settled();
    const [event] = (await platform.events(live)).filter(({ type }) => type === 'sms.broadcast.created');
    expect(event?.data).to.deep.equal({ broadcast: created.broadcast });
  });

  it('names variables that nothing provides, and none that has a default', async () => {
    const account = await texter(platform, 'Hi {{ nick | default: "you" }}, {{ percent }} % off');
    await subscribe(account, [mobile(5)]);
    const missing = await account.svc.call('sms.broadcast.create', draft());
    const [problem] = missing.readiness.problems.filter(({ code }) => code === 'variables_missing');
    expect(problem?.message).to.contain('needs percent, which');
    const given = await account.svc.call('sms.broadcast.create', draft({ variables: { percent: 20 } }));
    expect(problemsOf(given)).not.to.include('variables_missing');
  });

  it('counts the eligible contacts that lack a property which others have', async () => {
    const account = await texter(platform, '{{ plan }} for {{ contact.firstName }}');
    await subscribe(account, [mobile(1), mobile(2), mobile(3)]);
    const { svc } = account;
    await svc.call('audience.contact.upsert', { phone: mobile(1), properties: { plan: 'pro' } });
    await svc.call('audience.contact.upsert', { phone: mobile(9), properties: { plan: 'pro' } });
    const { readiness } = await svc.call('sms.broadcast.create', draft());
    const [problem] = readiness.problems.filter(({ code }) => code === 'variables_missing');
    expect(problem?.message).to.equal('2 of 3 eligible contacts have no plan.');
    expect(problem?.fix).to.contain('sms.broadcast.create').and.to.contain('{{ plan | default: "…" }}');
    const given = await svc.call('sms.broadcast.create', draft({ variables: { plan: 'free' } }));
    expect(problemsOf(given)).not.to.include('variables_missing');
  });

  it('counts whom it would reach among contacts with a number', async () => {
    const account = await texter(platform);
    const { svc } = account;
    await subscribe(account, [mobile(1), mobile(2)]);
    await svc.call('audience.contact.upsert', { phone: mobile(3) });
    await svc.call('audience.contact.upsert', { email: 'without@example.com' });
    await svc.call('audience.suppression.add', { phone: mobile(2) });
    const { readiness } = await svc.call('sms.broadcast.create', draft());
    expect(readiness.audience).to.deep.include({ eligible: 1, noConsent: 1, optedOut: 0, suppressed: 1, exact: true });
  });

  it('needs a topic with the channel sms, and variables that somebody provides', async () => {
    const { svc } = await texter(platform, 'Hi {{ contact.firstName }}, {{ percent }} % off for {{ club }}');
    await svc.call('audience.topic.create', { key: 'mail', name: 'Mail', channels: ['email'] });
    const created = await svc.call('sms.broadcast.create', draft({ topic: 'mail', variables: { percent: 20 } }));
    expect(problemsOf(created)).to.include.members(['topic_unknown', 'variables_missing']);
    const words = created.readiness.problems.map(({ message }) => message).join(' ');
    expect(words).to.contain('channel sms').and.to.contain('club').and.not.to.contain('percent');
  });

  it('refuses segments that are not there, and fields that texts do not have', async () => {
    const { svc } = await texter(platform);
    expect((await svc.refusal('sms.broadcast.create', draft({ segmentId: newId() }))).code).to.equal('not_found');
    const withSubject: object = { ...draft(), subject: 'Hi' };
    expect((await svc.refusal('sms.broadcast.create', draft(withSubject))).code).to.equal('invalid_input');
  });

  it('is listed newest first, by status and page, and only in its environment', async () => {
    const { svc, svcTest } = await texter(platform);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.unshift((await svc.call('sms.broadcast.create', draft())).broadcast.id);
    await svc.call('sms.broadcast.cancel', { broadcastId: ids[1] ?? '' });
    const first = await svc.call('sms.broadcast.list', { limit: 2 });
    expect(first.broadcasts.map(({ id }) => id)).to.deep.equal(ids.slice(0, 2));
    const rest = await svc.call('sms.broadcast.list', { limit: 2, before: first.nextBefore ?? '' });
    expect(rest.broadcasts.map(({ id }) => id)).to.deep.equal(ids.slice(2));
    const closed = await svc.call('sms.broadcast.list', { status: 'closed' });
    expect(closed.broadcasts.map(({ id }) => id)).to.deep.equal([ids[1]]);
    expect((await svcTest.call('sms.broadcast.list', {})).broadcasts).to.deep.equal([]);
  });

  it('cannot be sent while something is missing', async () => {
    const { svc } = await texter(platform);
    await publish(svc, 'other', { en: { body: 'Hi' } });
    const { broadcast } = await svc.call('sms.broadcast.create', draft({ template: 'other' }));
    const refused = await svc.refusal('sms.broadcast.send', { broadcastId: broadcast.id });
    expect(refused).to.include({ code: 'broadcast_not_ready', status: 409 });
    expect(refused.message).to.contain('registration_required').and.to.contain('audience_empty');
    expect(refused.fix).to.contain('sms.broadcast.send');
  });
});
