import { expect } from 'chai';
import { refusalBody } from '#test/account/support.js';
import { hours } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { auditOf, contactOf, eventsOf, topicOf } from '../support.js';

describe('audience.topic.restore', () => {
  const platform = usePlatform();

  it('restores an archived topic with the consents it had', async () => {
    const { svc, live } = await platform.account();
    const before = await topicOf(svc);
    const consents = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await contactOf(svc, { email: 'ada@example.com', consents });
    await svc.call('audience.topic.archive', { topic: 'news' });
    platform.clock.advance(hours(1));
    const { activityId, result } = await svc.envelope('audience.topic.restore', { topic: 'news' });
    expect(result.topic).to.deep.equal({ ...before, updatedAt: platform.clock.now().toISOString() });
    expect(await svc.call('audience.topic.get', { topic: 'news' })).to.deep.equal({
      topic: result.topic,
      granted: { email: 1, sms: 0 },
    });
    expect(await auditOf(platform, activityId)).to.include({
      operation: 'audience.topic.restore',
      subject: 'topic news',
      summary: 'Restored the topic news.',
    });
    expect(await eventsOf(platform, live, 'audience.topic.restored')).to.deep.equal([
      { type: 'audience.topic.restored', subjectId: 'news', personId: null, activityId, data: { topic: result.topic } },
    ]);
    await contactOf(svc, { email: 'bob@example.com', consents });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).granted.email).to.equal(2);
  });

  it('leaves a topic that is not archived as it is, with an audit record and no event', async () => {
    const { svc, live } = await platform.account();
    const before = await topicOf(svc);
    platform.clock.advance(hours(1));
    const { activityId, result } = await svc.envelope('audience.topic.restore', { topic: 'news' });
    expect(result.topic).to.deep.equal(before);
    expect(await auditOf(platform, activityId)).to.include({ subject: 'topic news' });
    expect(await eventsOf(platform, live, 'audience.topic.restored')).to.deep.equal([]);
  });

  it('answers alike for another environment’s topic and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.topic.restore', { topic: 'news' }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    await topicOf(svcTest);
    await svcTest.call('audience.topic.archive', { topic: 'news' });
    expect(refusalBody(await svc.refusal('audience.topic.restore', { topic: 'news' }))).to.deep.equal(unknown);
  });
});
