import { expect } from 'chai';
import { refusalBody } from '#test/account/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, concurrently, topicOf } from '../support.js';

describe('audience.topic.archive', () => {
  const platform = usePlatform();

  it('archives a topic: its consents stay on record, and nothing can be granted under it', async () => {
    const { svc, live } = await platform.account();
    const before = await topicOf(svc);
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await contactOf(svc, { email: 'ada@example.com', consents });
    platform.clock.advance(hours(1));
    const { activityId, result } = await svc.envelope('audience.topic.archive', { topic: 'news' });
    const now = platform.clock.now().toISOString();
    expect(result.topic).to.deep.equal({ ...before, archivedAt: now, updatedAt: now });
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'audience.topic.archive',
      subject: 'topic news',
      summary: 'Archived the topic news.',
    });
    expect(await eventsOf(platform, live, 'audience.topic.archived')).to.deep.equal([
      { type: 'audience.topic.archived', subjectId: 'news', personId: null, activityId, data: { topic: result.topic } },
    ]);
    const shown = await svc.call('audience.contact.get', { email: 'ada@example.com' });
    expect(shown.consents.map(({ topic, state }) => [topic, state])).to.deep.equal([['news', 'granted']]);

    const grant = { email: 'ada@example.com', topic: 'news', channel: 'sms', source: 'form' };
    const refused = await svc.refusal('audience.consent.grant', grant);
    expect(refused).to.include({ status: 409, code: 'topic_archived' });
    expect(refused.message).to.contain('news');
    const upsert = { email: 'bob@example.com', consents };
    expect(await svc.refusal('audience.contact.upsert', upsert)).to.include({ status: 409, code: 'topic_archived' });
    // Revoking is always possible.
    await svc.call('audience.consent.revoke', {
      email: 'ada@example.com',
      topic: 'news',
      channel: 'email',
      source: 'call',
    });
  });

  it('answers a repeat as done, with its own audit record and no event', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const first = await svc.envelope('audience.topic.archive', { topic: 'news' });
    platform.clock.advance(hours(1));
    const again = await svc.envelope('audience.topic.archive', { topic: 'news' });
    expect(again.result).to.deep.equal(first.result);
    expect(again.activityId).not.to.equal(first.activityId);
    expect(await auditOf(platform, again.activityId)).to.include({ subject: 'topic news' });
    expect(await eventsOf(platform, live, 'audience.topic.archived')).to.have.length(1);
  });

  it('archives once under concurrent calls', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const answers = await concurrently(() => svc.call('audience.topic.archive', { topic: 'news' }));
    expect(new Set(answers.map(({ topic }) => JSON.stringify(topic)))).to.have.property('size', 1);
    expect(await eventsOf(platform, live, 'audience.topic.archived')).to.have.length(1);
  });

  it('answers alike for another environment’s topic and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.topic.archive', { topic: 'news' }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    await topicOf(svcTest);
    expect(refusalBody(await svc.refusal('audience.topic.archive', { topic: 'news' }))).to.deep.equal(unknown);
    expect((await svcTest.call('audience.topic.get', { topic: 'news' })).topic.archivedAt).to.equal(null);
  });
});
