import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { need } from '#core/kernel/provision.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { audienceUsage, type UsageTarget } from '#plugins/audience/ports.js';
import { holdersOf } from '#plugins/audience/usage/usage.js';
import { segments } from '#plugins/audience/tables/segment.js';
import type { Api } from '#test/support/api.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { racers, topicOf } from './support.js';

/** A product whose broadcasts and automations hold on to topics and segments. */
const sender = definePlugin({
  name: 'lab',
  summary: 'Holds on to topics and segments.',
  tables: [],
  events: {},
  errors: {},
  needs: [need(audienceUsage)],
  operations: [
    defineOperation({
      name: 'lab.hold',
      summary: 'Hold on to a topic or segment.',
      access: 'secret',
      input: object({ topic: optional(text()), segmentId: optional(uuid()), type: text(), holderId: uuid() }),
      output: object({}),
      errors: ['topic_archived'],
      example: { input: { topic: 'news', type: 'broadcast', holderId: newId() }, output: {} },
      async handle({ topic, segmentId = '', type, holderId }, { use, caller }) {
        const target = topic === undefined ? { segmentId } : { topic };
        await use(audienceUsage).hold(caller.environment.id, target, { type, id: holderId });
        return {};
      },
    }),
    defineOperation({
      name: 'lab.release',
      summary: 'Let go.',
      access: 'secret',
      input: object({ holderId: uuid() }),
      output: object({}),
      example: { input: { holderId: newId() }, output: {} },
      async handle({ holderId }, { use }) {
        await use(audienceUsage).release(holderId);
        return {};
      },
    }),
  ],
});

describe('Topics and segments that something open uses', () => {
  const platform = usePlatform({ plugins: [sender] });

  /** What a call came to: `done`, or its refusal's code. */
  async function outcome(api: Api, path: string, input: object): Promise<string> {
    const { status, text: body } = await api.raw(path, JSON.stringify(input));
    return status === 200 ? 'done' : (/"code":"(\w+)"/.exec(body)?.[1] ?? body);
  }
  const hold = (api: Api, target: UsageTarget, holderId: string, type = 'broadcast'): Promise<string> =>
    outcome(api, '/lab/hold', { ...target, holderId, type });

  async function segmentOf({ live }: TestAccount): Promise<string> {
    const now = platform.clock.now();
    const row = { id: newId(), environmentId: live.id, name: 'All', nameKey: 'all', definition: '{"all":[]}' };
    await platform.running.services.database.insert(segments, { ...row, createdAt: now, updatedAt: now });
    return row.id;
  }

  it('are not archived under it, and the refusal names how many of what', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const [first, second, automation] = [newId(), newId(), newId()];
    expect(await hold(svc, { topic: 'news' }, first)).to.equal('done');
    const refused = await svc.refusal('audience.topic.archive', { topic: 'news' });
    expect(refused).to.include({ status: 409, code: 'topic_in_use' });
    expect(refused.message).to.equal('The topic news is used by 1 broadcast.');
    expect(refused.fix).to.contain('1 broadcast');
    await hold(svc, { topic: 'news' }, second);
    await hold(svc, { topic: 'news' }, automation, 'automation');
    expect((await svc.refusal('audience.topic.archive', { topic: 'news' })).message).to.equal(
      'The topic news is used by 1 automation and 2 broadcasts.',
    );
    expect((await svc.call('audience.topic.get', { topic: 'news' })).topic.archivedAt).to.equal(null);
    for (const holderId of [first, second]) await outcome(svc, '/lab/release', { holderId });
    expect((await svc.refusal('audience.topic.archive', { topic: 'news' })).message).to.contain('by 1 automation.');
    await outcome(svc, '/lab/release', { holderId: automation });
    await svc.call('audience.topic.archive', { topic: 'news' });
  });

  it('are not held once archived; a topic that came back is', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await hold(svc, { topic: 'news' }, newId())).to.equal('topic_archived');
    await svc.call('audience.topic.restore', { topic: 'news' });
    expect(await hold(svc, { topic: 'news' }, newId())).to.equal('done');
  });

  it('are held once by one holder, however often it says so, and let go of all at once', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await topicOf(svc);
    await topicOf(svc, { key: 'offers' });
    const segmentId = await segmentOf(account);
    const holderId = newId();
    await racers(() => hold(svc, { topic: 'news' }, holderId), 5);
    await hold(svc, { topic: 'offers' }, holderId);
    expect(await hold(svc, { segmentId }, holderId)).to.equal('done');
    const { database } = platform.running.services;
    for (const target of [{ topic: 'news' }, { topic: 'offers' }, { segmentId }])
      expect(await holdersOf(database, live.id, target)).to.deep.equal([{ type: 'broadcast', count: 1 }]);
    await outcome(svc, '/lab/release', { holderId });
    await outcome(svc, '/lab/release', { holderId });
    for (const target of [{ topic: 'news' }, { topic: 'offers' }, { segmentId }])
      expect(await holdersOf(database, live.id, target)).to.deep.equal([]);
  });

  it('cannot be held in another environment, or where there are none', async () => {
    const account = await platform.account();
    const { svc, svcTest, live } = account;
    await topicOf(svc);
    const segmentId = await segmentOf(account);
    for (const target of [{ topic: 'news' }, { topic: 'none' }, { segmentId }, { segmentId: newId() }])
      expect(await hold(svcTest, target, newId())).to.equal('not_found');
    expect(await holdersOf(platform.running.services.database, live.id, { segmentId })).to.deep.equal([]);
    await topicOf(svcTest);
    expect(await hold(svcTest, { topic: 'news' }, newId())).to.equal('done');
    await svc.call('audience.topic.archive', { topic: 'news' });
  });

  it('end up either held or archived, never both, whoever comes first', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const { database } = platform.running.services;
    for (let round = 0; round < 12; round += 1) {
      const topic = `t${round}`;
      await topicOf(svc, { key: topic });
      const archived = round % 2 ? svc : other;
      const [toHold, toArchive] = await Promise.all([
        hold(round % 3 ? svc : other, { topic }, newId()),
        outcome(archived, '/audience/topic/archive', { topic }),
      ]);
      const held = (await holdersOf(database, live.id, { topic })).length > 0;
      const isArchived = (await svc.call('audience.topic.get', { topic })).topic.archivedAt !== null;
      expect(held, `${toHold} ${toArchive}`).to.equal(!isArchived);
      expect([toHold, toArchive]).to.deep.equal(held ? ['done', 'topic_in_use'] : ['topic_archived', 'done']);
    }
  });
});
