import { expect } from 'chai';
import { refusalBody } from '#test/account/support.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { auditOf, eventsOf, topicOf } from '../support.js';

describe('audience.topic.update', () => {
  const platform = usePlatform();

  it('changes name, description, channels and visibility, and lists the changes in the audit log', async () => {
    const { svc, live } = await platform.account();
    const before = await topicOf(svc);
    platform.clock.advance(minutes(1));
    const { activityId, result } = await svc.envelope('audience.topic.update', {
      topic: 'news',
      name: 'Neues',
      description: 'Einmal im Monat.',
      channels: ['email'],
      public: false,
    });
    expect(result.topic).to.deep.equal({
      ...before,
      name: 'Neues',
      description: 'Einmal im Monat.',
      channels: ['email'],
      public: false,
      updatedAt: platform.clock.now().toISOString(),
    });
    expect((await svc.call('audience.topic.get', { topic: 'news' })).topic).to.deep.equal(result.topic);
    expect(await auditOf(platform, activityId)).to.deep.equal({
      operation: 'audience.topic.update',
      subject: 'topic news',
      personId: null,
      summary: 'Changed the topic news.',
      changes: [
        { field: 'name', from: 'Newsletter', to: 'Neues' },
        { field: 'description', from: null, to: 'Einmal im Monat.' },
        { field: 'channels', from: ['email', 'sms'], to: ['email'] },
        { field: 'public', from: true, to: false },
      ],
    });
    expect(await eventsOf(platform, live, 'audience.topic.updated')).to.deep.equal([
      { type: 'audience.topic.updated', subjectId: 'news', personId: null, activityId, data: { topic: result.topic } },
    ]);
  });

  it('changes only given fields, and null removes the description', async () => {
    const { svc } = await platform.account();
    const before = await topicOf(svc, { description: 'Monthly.', public: false });
    const { topic } = await svc.call('audience.topic.update', { topic: 'news', description: null });
    expect(topic).to.deep.equal({ ...before, description: null, updatedAt: topic.updatedAt });
    expect(topic.updatedAt > before.updatedAt, 'later, also within a millisecond').to.equal(true);
  });

  it('answers a repeat as done: no event, updatedAt unchanged, an audit record without changes', async () => {
    const { svc, live } = await platform.account();
    await topicOf(svc);
    const input = { topic: 'news', name: 'Same', channels: ['sms' as const, 'email' as const] };
    const first = await svc.call('audience.topic.update', input);
    platform.clock.advance(minutes(1));
    const again = await svc.envelope('audience.topic.update', input);
    expect(again.result).to.deep.equal(first);
    expect((await auditOf(platform, again.activityId)).changes).to.deep.equal([]);
    expect(await eventsOf(platform, live, 'audience.topic.updated')).to.have.length(1);
  });

  itNeeding('email')('gives a topic a subscribe form, changes it and removes it', async () => {
    const { svc } = await platform.account();
    const url = (await topicOf(svc, { subscribeForm: { doubleOptIn: false } })).subscribeForm?.url;
    const change = async (fields: object) => {
      const { activityId, result } = await svc.envelope('audience.topic.update', { topic: 'news', ...fields });
      const { changes } = await auditOf(platform, activityId);
      return { form: result.topic.subscribeForm, changes };
    };
    const first = { doubleOptIn: false, redirectUrl: null, url };
    expect((await change({ name: 'News' })).form).to.deep.equal(first);
    const second = { doubleOptIn: true, redirectUrl: 'https://shop.example/thanks', url };
    const changed = await change({ subscribeForm: { redirectUrl: 'https://shop.example/thanks' } });
    expect(changed).to.deep.equal({ form: second, changes: [{ field: 'subscribeForm', from: first, to: second }] });
    const wrong = [
      [{ channels: ['sms'] as const }, 'channels'],
      [{ channels: ['sms'] as const, subscribeForm: {} }, 'subscribeForm'],
      [{ subscribeForm: { redirectUrl: 'http://shop.example' } }, 'subscribeForm.redirectUrl'],
    ] as const;
    for (const [fields, field] of wrong) {
      const refused = await svc.refusal('audience.topic.update', { topic: 'news', ...fields });
      expect(refused).to.include({ status: 400, code: 'invalid_input' });
      expect(refused.details['field']).to.equal(field);
    }
    expect((await change({ channels: ['sms'], subscribeForm: null })).form).to.equal(null);
  });

  it('changes an archived topic, which stays archived', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const { topic: archived } = await svc.call('audience.topic.archive', { topic: 'news' });
    const { topic } = await svc.call('audience.topic.update', { topic: 'news', name: 'Gone' });
    expect(topic).to.include({ name: 'Gone', archivedAt: archived.archivedAt });
  });

  it('requires a change, and refuses invalid fields; the key is fixed', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    for (const fields of [
      {},
      { name: '' },
      { name: ' \u00a0' },
      { name: null },
      { channels: [] },
      { key: 'other' },
      { public: null },
    ]) {
      const refused = await svc.refusal('audience.topic.update', { topic: 'news', ...fields });
      expect(refused, JSON.stringify(fields)).to.include({ status: 400, code: 'invalid_input' });
    }
  });

  it('answers alike for another environment’s topic and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const unknown = refusalBody(await svc.refusal('audience.topic.update', { topic: 'news', name: 'Mine' }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    await topicOf(svcTest);
    expect(refusalBody(await svc.refusal('audience.topic.update', { topic: 'news', name: 'Mine' }))).to.deep.equal(
      unknown,
    );
    expect((await svcTest.call('audience.topic.get', { topic: 'news' })).topic.name).to.equal('Newsletter');
  });
});

describe('audience.topic.update without the product email', () => {
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,audience' }) });

  it('keeps and removes a form that was set up before, and accepts no new one', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const change = async (fields: object) =>
      (await svc.call('audience.topic.update', { topic: 'news', ...fields })).topic.subscribeForm;
    const { affectedRows } = await platform.running.services.database.run(
      `UPDATE audience_topic SET subscribe_form = '{"doubleOptIn":true,"redirectUrl":null}' WHERE topic = 'news'`,
    );
    expect(affectedRows).to.equal(1);
    expect(await change({ name: 'News' })).to.include({ doubleOptIn: true });
    const refused = await svc.refusal('audience.topic.update', { topic: 'news', subscribeForm: {} });
    expect(refused).to.include({ status: 400, code: 'invalid_input' });
    expect(refused.message).to.contain('needs the product email');
    expect(await change({ subscribeForm: null })).to.equal(null);
  });
});
