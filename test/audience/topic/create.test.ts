import { expect } from 'chai';
import { refusalBody } from '#test/account/support.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { auditOf, eventsOf, concurrently, topicOf } from '../support.js';
import { newId } from '#core/runtime/id.js';
import { topics } from '#plugins/audience/tables/topic.js';

describe('audience.topic.create', () => {
  const platform = usePlatform();

  it('creates a public topic for both channels by default', async () => {
    const { svc, live } = await platform.account();
    const { activityId, result } = await svc.envelope('audience.topic.create', { key: 'news', name: 'Newsletter' });
    const now = platform.clock.now().toISOString();
    expect(result.topic).to.deep.equal({
      key: 'news',
      name: 'Newsletter',
      description: null,
      channels: ['email', 'sms'],
      public: true,
      subscribeForm: null,
      archivedAt: null,
      createdAt: now,
      updatedAt: now,
    });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).topic).to.deep.equal(result.topic);
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.topic.create',
      subject: 'topic news',
      personId: null,
      summary: 'Created the topic news.',
      changes: (['key', 'name', 'channels', 'public'] as const).map((field) => ({
        field,
        from: null,
        to: result.topic[field],
      })),
    });
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal([
      {
        type: 'audience.topic.created',
        subjectId: 'news',
        personId: null,
        activityId,
        data: { topic: result.topic },
      },
    ]);
  });

  it('accepts a description, channels in any order, and a topic that is not public', async () => {
    const { svc } = await platform.account();
    const topic = await topicOf(svc, { description: 'Monthly.', channels: ['sms', 'email'], public: false });
    expect(topic).to.deep.include({ description: 'Monthly.', channels: ['email', 'sms'], public: false });
    const one = await topicOf(svc, { key: 'texts', channels: ['sms'] });
    expect(one.channels).to.deep.equal(['sms']);
  });

  itNeeding('email')('gives the topic a subscribe form, with double opt-in by default', async () => {
    const { svc, live } = await platform.account();
    const { baseUrl } = platform.running.services.deployment;
    const formAt = (key: string) => `${baseUrl}/subscribe/${live.id}/${key}`;
    const given = [
      ['a', {}, { doubleOptIn: true, redirectUrl: null }],
      ['b', { doubleOptIn: false }, { doubleOptIn: false, redirectUrl: null }],
      [
        'c',
        { redirectUrl: 'https://shop.example/thanks?a=b' },
        { doubleOptIn: true, redirectUrl: 'https://shop.example/thanks?a=b' },
      ],
    ] as const;
    for (const [key, subscribeForm, shown] of given) {
      const topic = await topicOf(svc, { key, subscribeForm });
      expect(topic.subscribeForm).to.deep.equal({ ...shown, url: formAt(key) });
      expect((await svc.call('audience.topic.get', { topic: key })).topic).to.deep.equal(topic);
    }
    expect((await topicOf(svc, { key: 'd', subscribeForm: null })).subscribeForm).to.equal(null);
    const shown = (await svc.call('audience.topic.list', {})).topics.map(({ key, subscribeForm }) => [
      key,
      subscribeForm?.url,
    ]);
    expect(shown).to.deep.equal([['d', undefined], ...['c', 'b', 'a'].map((key) => [key, formAt(key)])]);
  });

  itNeeding('email')(
    'refuses a subscribe form without the channel email, or that leads elsewhere than https',
    async () => {
      const { svc } = await platform.account();
      const wrong = [
        [{ channels: ['sms'] as const, subscribeForm: {} }, 'subscribeForm'],
        ...['http://shop.example', 'javascript:alert(1)', 'https://ada:secret@shop.example', '/thanks'].map(
          (redirectUrl) => [{ subscribeForm: { redirectUrl } }, 'subscribeForm.redirectUrl'] as const,
        ),
      ] as const;
      for (const [fields, field] of wrong) {
        const refused = await svc.refusal('audience.topic.create', { key: 'news', name: 'News', ...fields });
        expect(refused, JSON.stringify(fields)).to.include({ status: 400, code: 'invalid_input' });
        expect(refused.details['field']).to.equal(field);
      }
    },
  );

  it('refuses an invalid key, name or channel, naming the field', async () => {
    const { svc, live } = await platform.account();
    const wrong = [
      ...['', 'News', '-news', '_news', 'a b', 'né', 'news\n', 'a'.repeat(65)].map((key) => ({ key })),
      ...['', ' \u00a0\t', 'n'.repeat(121)].map((name) => ({ name })),
      { description: 'd'.repeat(501) },
      { channels: [] },
      { channels: ['email', 'email'] },
      { channels: ['fax'] },
      { public: 'yes' },
    ];
    for (const fields of wrong) {
      const refused = await svc.refusal('audience.topic.create', { key: 'news', name: 'News', ...fields });
      expect(refused, JSON.stringify(fields)).to.include({ status: 400, code: 'invalid_input' });
      expect(String(refused.details['field'])).to.contain(Object.keys(fields)[0]);
    }
    expect(await eventsOf(platform, live, 'audience.')).to.deep.equal([]);
  });

  it('accepts the shortest and the longest valid key', async () => {
    const { svc } = await platform.account();
    for (const key of ['0', `a${'-'.repeat(31)}${'_'.repeat(32)}`]) {
      await topicOf(svc, { key });
      expect((await svc.call('audience.topic.get', { topic: key })).topic.key).to.equal(key);
    }
  });

  it('refuses the key of an existing topic, archived or not, within the environment', async () => {
    const { svc, svcTest } = await platform.account();
    await topicOf(svc);
    const refused = await svc.refusal('audience.topic.create', { key: 'news', name: 'Again' });
    expect(refused).to.include({ status: 409, code: 'topic_key_taken' });
    expect(refused.message).to.equal('Another topic has the key news.');
    await svc.call('audience.topic.archive', { topic: 'news' });
    const still = await svc.refusal('audience.topic.create', { key: 'news', name: 'Again' });
    expect(refusalBody(still)).to.deep.equal(refusalBody(refused));
    expect(still.fix).to.contain('audience.topic.restore');
    await topicOf(svcTest);
    expect((await svc.call('audience.topic.list', { archived: true })).topics).to.have.length(1);
  });

  it('creates one topic of a key under concurrent calls on two nodes', async () => {
    const { svc, live, keys } = await platform.account();
    const other = (await platform.secondNode()).as(keys.live.secret);
    const answers = await concurrently(async (index) => {
      const input = { key: 'news', name: `Racer ${index}` };
      const { status, text } = await (index % 2 ? svc : other).raw('/audience/topic/create', JSON.stringify(input));
      return status === 200 ? 'made' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
    });
    expect(answers.filter((answer) => answer === 'made')).to.have.length(1);
    expect(answers.filter((answer) => answer === 'topic_key_taken')).to.have.length(19);
    expect(await eventsOf(platform, live, 'audience.topic.created')).to.have.length(1);
  });

  it('allows 200 topics per environment that are not archived, also under concurrent calls and restored ones', async () => {
    const { svc, svcTest } = await platform.account();
    for (let made = 0; made < 190; made += 10)
      await concurrently((index) => topicOf(svc, { key: `t${made + index}` }), 10);
    await svc.call('audience.topic.archive', { topic: 't0' });
    const answers = await concurrently(async (index) => {
      const input = JSON.stringify({ key: `last${index}`, name: 'Last' });
      const { status, text } = await svc.raw('/audience/topic/create', input);
      return status === 200 ? 'made' : (/"code":"(\w+)"/.exec(text)?.[1] ?? text);
    });
    expect(answers.filter((answer) => answer === 'made')).to.have.length(11);
    expect(answers.filter((answer) => answer === 'limit_reached')).to.have.length(9);
    const refused = await svc.refusal('audience.topic.create', { key: 'more', name: 'More' });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.message).to.contain('200 topics in this environment that are not archived');
    expect(await svc.refusal('audience.topic.restore', { topic: 't0' })).to.include({ code: 'limit_reached' });
    await svc.call('audience.topic.archive', { topic: 't1' });
    await svc.call('audience.topic.restore', { topic: 't0' });
    await topicOf(svcTest);
  });

  it('allows 2,000 topics per environment in all', async () => {
    const { svc, live } = await platform.account();
    const now = platform.clock.now();
    const row = {
      environmentId: live.id,
      name: 'Old',
      description: null,
      channels: ['email' as const],
      isPublic: true,
      archivedAt: now,
      createdAt: now,
      updatedAt: now,
    };
    const rows = Array.from({ length: 1_999 }, (_, index) => ({ ...row, id: newId(), topic: `old${index}` }));
    await platform.running.services.database.insert(topics, rows);
    await topicOf(svc, { key: 'last' });
    const refused = await svc.refusal('audience.topic.create', { key: 'more', name: 'More' });
    expect(refused).to.include({ status: 409, code: 'limit_reached' });
    expect(refused.message).to.contain('2000 topics in this environment, archived ones included');
  });
});
