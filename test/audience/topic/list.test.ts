import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { topicOf } from '../support.js';

describe('audience.topic.list', () => {
  const platform = usePlatform();

  it('lists topics newest first: those not archived, or the archived ones', async () => {
    const { svc } = await platform.account();
    expect(await svc.call('audience.topic.list', {})).to.deep.equal({ topics: [], nextBefore: null });
    const [first, second, third] = [
      await topicOf(svc, { key: 'one' }),
      await topicOf(svc, { key: 'two' }),
      await topicOf(svc, { key: 'three' }),
    ];
    const { topic: archived } = await svc.call('audience.topic.archive', { topic: second.key });
    expect(await svc.call('audience.topic.list', {})).to.deep.equal({ topics: [third, first], nextBefore: null });
    const gone = await svc.call('audience.topic.list', { archived: true });
    expect(gone).to.deep.equal({ topics: [archived], nextBefore: null });
  });

  it('pages consistently while topics are created and archived', async () => {
    const { svc } = await platform.account();
    for (const key of ['a', 'b', 'c', 'd', 'e']) await topicOf(svc, { key });
    const first = await svc.call('audience.topic.list', { limit: 2 });
    expect(first.topics.map(({ key }) => key)).to.deep.equal(['e', 'd']);
    await topicOf(svc, { key: 'f' });
    await svc.call('audience.topic.archive', { topic: 'b' });
    const second = await svc.call('audience.topic.list', { limit: 2, before: first.nextBefore ?? '' });
    expect(second.topics.map(({ key }) => key)).to.deep.equal(['c', 'a']);
    expect(second.nextBefore).to.equal(null);
  });

  it('shows nothing of another environment', async () => {
    const { svc, svcTest } = await platform.account();
    await topicOf(svc);
    expect((await svcTest.call('audience.topic.list', {})).topics).to.deep.equal([]);
  });

  it('refuses an invalid cursor and a limit above 100', async () => {
    const { svc } = await platform.account();
    for (const input of [{ before: 'news' }, { limit: 0 }, { limit: 101 }, { archived: null }])
      expect(await svc.refusal('audience.topic.list', input)).to.include({ status: 400, code: 'invalid_input' });
  });
});
