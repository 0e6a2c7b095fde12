import { expect } from 'chai';
import { defineOperation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { need } from '#core/kernel/provision.js';
import { object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { audienceReferences, type ReferenceTarget } from '#plugins/audience/ports.js';
import { referencesTo } from '#plugins/audience/segments/references-port.js';
import { segments } from '#plugins/audience/tables/segment.js';
import type { Api } from '#test/support/api.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { concurrently, topicOf } from './support.js';

/** A product whose broadcasts and automations use topics and segments. */
const sender = definePlugin({
  name: 'lab',
  summary: 'Uses topics and segments.',
  tables: [],
  events: {},
  errors: {},
  needs: [need(audienceReferences)],
  operations: [
    defineOperation({
      name: 'lab.use',
      summary: 'Use a topic or segment.',
      access: 'secret',
      input: object({ topic: optional(text()), segmentId: optional(uuid()), type: text(), inUseById: uuid() }),
      output: object({}),
      errors: ['topic_archived'],
      example: { input: { topic: 'news', type: 'broadcast', inUseById: newId() }, output: {} },
      async handle({ topic, segmentId = '', type, inUseById }, { use, caller }) {
        const target = topic === undefined ? { segmentId } : { topic };
        await use(audienceReferences).markReferenced(caller.environment.id, target, { type, id: inUseById });
        return {};
      },
    }),
    defineOperation({
      name: 'lab.free',
      summary: 'Stop using everything.',
      access: 'secret',
      input: object({ inUseById: uuid() }),
      output: object({}),
      example: { input: { inUseById: newId() }, output: {} },
      async handle({ inUseById }, { use }) {
        await use(audienceReferences).freeReferences(inUseById);
        return {};
      },
    }),
  ],
});

describe('Topics and segments in use', () => {
  const platform = usePlatform({ plugins: [sender] });

  /** `done`, or the code of the refusal. */
  async function outcome(api: Api, path: string, input: object): Promise<string> {
    const { status, text: body } = await api.raw(path, JSON.stringify(input));
    return status === 200 ? 'done' : (/"code":"(\w+)"/.exec(body)?.[1] ?? body);
  }
  const use = (api: Api, target: ReferenceTarget, inUseById: string, type = 'broadcast'): Promise<string> =>
    outcome(api, '/lab/use', { ...target, inUseById, type });

  async function segmentOf({ live }: TestAccount): Promise<string> {
    const now = platform.clock.now();
    const row = { id: newId(), environmentId: live.id, name: 'All', nameKey: 'all', definition: '{"all":[]}' };
    await platform.running.services.database.insert(segments, { ...row, createdAt: now, updatedAt: now });
    return row.id;
  }

  it('cannot be archived, and the refusal counts and names what uses them', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const [first, second, automation] = [newId(), newId(), newId()];
    expect(await use(svc, { topic: 'news' }, first)).to.equal('done');
    const refused = await svc.refusal('audience.topic.archive', { topic: 'news' });
    expect(refused).to.include({ status: 409, code: 'topic_in_use' });
    expect(refused.message).to.equal(`The topic news is referenced by 1 broadcast (${first}).`);
    expect(refused.fix).to.contain('1 broadcast');
    await use(svc, { topic: 'news' }, second);
    await use(svc, { topic: 'news' }, automation, 'automation');
    expect((await svc.refusal('audience.topic.archive', { topic: 'news' })).message).to.equal(
      `The topic news is referenced by 1 automation (${automation}) and 2 broadcasts (${second}, ${first}).`,
    );
    expect((await svc.call('audience.topic.get', { topic: 'news' })).topic.archivedAt).to.equal(null);
    const more = [newId(), newId()];
    for (const id of more) await use(svc, { topic: 'news' }, id);
    expect((await svc.refusal('audience.topic.archive', { topic: 'news' })).message).to.contain(
      `4 broadcasts (${more[1] ?? ''}, ${more[0] ?? ''}, ${second}, …)`,
    );
    for (const inUseById of [first, second, ...more]) await outcome(svc, '/lab/free', { inUseById });
    expect((await svc.refusal('audience.topic.archive', { topic: 'news' })).message).to.contain('by 1 automation (');
    await outcome(svc, '/lab/free', { inUseById: automation });
    await svc.call('audience.topic.archive', { topic: 'news' });
  });

  it('can be used again after an archived topic was restored', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    await svc.call('audience.topic.archive', { topic: 'news' });
    expect(await use(svc, { topic: 'news' }, newId())).to.equal('topic_archived');
    await svc.call('audience.topic.restore', { topic: 'news' });
    expect(await use(svc, { topic: 'news' }, newId())).to.equal('done');
  });

  it('are counted once per user, even when it marks them repeatedly, and are freed together', async () => {
    const account = await platform.account();
    const { svc, live } = account;
    await topicOf(svc);
    await topicOf(svc, { key: 'offers' });
    const segmentId = await segmentOf(account);
    const inUseById = newId();
    await concurrently(() => use(svc, { topic: 'news' }, inUseById), 5);
    await use(svc, { topic: 'offers' }, inUseById);
    expect(await use(svc, { segmentId }, inUseById)).to.equal('done');
    const { database } = platform.running.services;
    for (const target of [{ topic: 'news' }, { topic: 'offers' }, { segmentId }])
      expect(await referencesTo(database, live.id, target)).to.deep.equal([
        { type: 'broadcast', count: 1, ids: [inUseById] },
      ]);
    await outcome(svc, '/lab/free', { inUseById });
    await outcome(svc, '/lab/free', { inUseById });
    for (const target of [{ topic: 'news' }, { topic: 'offers' }, { segmentId }])
      expect(await referencesTo(database, live.id, target)).to.deep.equal([]);
  });

  it('cannot be used in another environment, or when they do not exist', async () => {
    const account = await platform.account();
    const { svc, svcTest, live } = account;
    await topicOf(svc);
    const segmentId = await segmentOf(account);
    for (const target of [{ topic: 'news' }, { topic: 'none' }, { segmentId }, { segmentId: newId() }])
      expect(await use(svcTest, target, newId())).to.equal('not_found');
    expect(await referencesTo(platform.running.services.database, live.id, { segmentId })).to.deep.equal([]);
    await topicOf(svcTest);
    expect(await use(svcTest, { topic: 'news' }, newId())).to.equal('done');
    await svc.call('audience.topic.archive', { topic: 'news' });
  });

  it('end up either in use or archived, never both, whichever call comes first', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const { database } = platform.running.services;
    for (let round = 0; round < 12; round += 1) {
      const topic = `t${round}`;
      await topicOf(svc, { key: topic });
      const archiver = round % 2 ? svc : other;
      const [used, archived] = await Promise.all([
        use(round % 3 ? svc : other, { topic }, newId()),
        outcome(archiver, '/audience/topic/archive', { topic }),
      ]);
      const inUse = (await referencesTo(database, live.id, { topic })).length > 0;
      const isArchived = (await svc.call('audience.topic.get', { topic })).topic.archivedAt !== null;
      expect(inUse, `${used} ${archived}`).to.equal(!isArchived);
      expect([used, archived]).to.deep.equal(inUse ? ['done', 'topic_in_use'] : ['topic_archived', 'done']);
    }
  });
});
