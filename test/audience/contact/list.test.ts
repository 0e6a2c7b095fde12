import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import type { Api, InputOf } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { refusalBody } from '../../account/support.js';
import { segmentOf } from '../segment/support.js';
import { contactOf, topicOf } from '../support.js';

type Filter = InputOf<'audience.contact.list'>;

describe('audience.contact.list', () => {
  const platform = usePlatform();

  const names = async (svc: Api, filter: Filter): Promise<(string | null)[]> =>
    (await svc.call('audience.contact.list', filter)).contacts.map(({ externalId }) => externalId);

  it('lists every contact of the environment, newest first, as get shows them', async () => {
    const { svc, svcTest } = await platform.account();
    await contactOf(svcTest, { externalId: 'theirs' });
    await contactOf(svc, { externalId: 'one', email: 'one@example.com', properties: { plan: 'pro' } });
    await contactOf(svc, { externalId: 'two' });
    const { contacts, nextBefore } = await svc.call('audience.contact.list', {});
    expect(nextBefore).to.equal(null);
    expect(contacts.map(({ externalId }) => externalId)).to.deep.equal(['two', 'one']);
    expect(contacts[1]).to.deep.equal((await svc.call('audience.contact.get', { externalId: 'one' })).contact);
  });

  it('pages consistently while contacts are created, changed and deleted', async () => {
    const { svc } = await platform.account();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.unshift((await contactOf(svc, { externalId: `c${index}` })).id);
    const first = await svc.call('audience.contact.list', { limit: 3 });
    await contactOf(svc, { externalId: 'new' });
    await svc.call('audience.contact.update', { contactId: made[5] ?? '', firstName: 'Changed' });
    await svc.call('audience.contact.delete', { contactId: made[2] ?? '' });
    await svc.call('audience.contact.delete', { contactId: made[4] ?? '' });
    const second = await svc.call('audience.contact.list', { limit: 3, before: first.nextBefore ?? '' });
    const seen = [...first.contacts, ...second.contacts].map(({ id }) => id);
    expect(seen).to.deep.equal([...made.slice(0, 4), ...made.slice(5)]);
    expect(second.nextBefore).to.equal(null);
  });

  it('filters by a segment, evaluated now', async () => {
    const { svc } = await platform.account();
    const { segment } = await segmentOf(svc);
    await contactOf(svc, { externalId: 'pro', properties: { plan: 'pro' } });
    await contactOf(svc, { externalId: 'free', properties: { plan: 'free' } });
    expect(await names(svc, { segmentId: segment.id })).to.deep.equal(['pro']);
    const definition = { field: 'properties.plan', op: 'eq', value: 'pro' };
    expect(await names(svc, { definition: { not: definition } })).to.not.include('pro');
    expect(await names(svc, { segmentId: segment.id, definition: { not: definition } })).to.deep.equal([]);
    const wrong = await svc.refusal('audience.contact.list', { definition: { field: 'plan' } });
    expect(wrong.code).to.equal('invalid_definition');
    await contactOf(svc, { externalId: 'free', properties: { plan: 'pro' } });
    expect(await names(svc, { segmentId: segment.id })).to.deep.equal(['free', 'pro']);
  });

  it('filters by granted consent: to a topic on any channel, on a channel to any topic, or both', async () => {
    const { svc } = await platform.account();
    await topicOf(svc, { key: 'news' });
    await topicOf(svc, { key: 'tips', name: 'Tips' });
    const grant = (externalId: string, topic: string, channel: 'email' | 'sms') =>
      contactOf(svc, { externalId, consents: [{ topic, channel, source: 'form' }] });
    await grant('news by email', 'news', 'email');
    await grant('news by text', 'news', 'sms');
    await grant('tips by email', 'tips', 'email');
    await grant('both by email', 'news', 'email');
    await grant('both by email', 'tips', 'email');
    await contactOf(svc, { externalId: 'nothing' });
    const { id: contactId } = await grant('no more', 'news', 'email');
    await svc.call('audience.consent.revoke', { contactId, channel: 'email', source: 'call' });
    expect(await names(svc, { topic: 'news' })).to.deep.equal(['both by email', 'news by text', 'news by email']);
    expect(await names(svc, { channel: 'email' })).to.deep.equal(['both by email', 'tips by email', 'news by email']);
    expect(await names(svc, { channel: 'sms' })).to.deep.equal(['news by text']);
    expect(await names(svc, { topic: 'news', channel: 'email' })).to.deep.equal(['both by email', 'news by email']);
    expect((await svc.refusal('audience.contact.list', { topic: 'gone' })).code).to.equal('not_found');
  });

  it('finds contacts by the start of an address, number, external id, first or last name', async () => {
    const { svc } = await platform.account();
    await contactOf(svc, { externalId: 'A', email: 'Lovelace.Ada@Example.com', phone: '+4915123456789' });
    await contactOf(svc, { externalId: 'B', firstName: 'Adalbert', lastName: 'Émile' });
    await contactOf(svc, { externalId: 'adam-1', firstName: 'Zoë', lastName: 'van Dyk' });
    expect(await names(svc, { query: 'lovelace.ADA@ex' })).to.deep.equal(['A']);
    expect(await names(svc, { query: '+49 151 234' })).to.deep.equal(['A']);
    expect(await names(svc, { query: 'ada' })).to.deep.equal(['adam-1', 'B']);
    expect(await names(svc, { query: 'adam' })).to.deep.equal(['adam-1']);
    // External ids are exact, names and addresses in any case.
    expect(await names(svc, { query: 'ADA' })).to.deep.equal(['B']);
    expect(await names(svc, { query: 'VAN d' })).to.deep.equal(['adam-1']);
    expect(await names(svc, { query: 'dyk' })).to.deep.equal([]);
    expect(await names(svc, { query: 'example' })).to.deep.equal([]);
  });

  it('matches wildcard characters literally', async () => {
    const { svc } = await platform.account();
    await contactOf(svc, { externalId: '1', firstName: '100%', lastName: 'x' });
    await contactOf(svc, { externalId: '2', firstName: '100x', lastName: 'a_b' });
    await contactOf(svc, { externalId: '3', firstName: 'c!d', lastName: 'axb' });
    await contactOf(svc, { externalId: '4', firstName: 'e\\f', lastName: "o'neil" });
    expect(await names(svc, { query: '100%' })).to.deep.equal(['1']);
    expect(await names(svc, { query: 'a_' })).to.deep.equal(['2']);
    expect(await names(svc, { query: 'c!' })).to.deep.equal(['3']);
    expect(await names(svc, { query: 'e\\' })).to.deep.equal(['4']);
    expect(await names(svc, { query: "O'" })).to.deep.equal(['4']);
    expect(await names(svc, { query: '%' })).to.deep.equal([]);
  });

  it('combines filters', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const { segment } = await segmentOf(svc);
    const news = [{ topic: 'news', channel: 'email' as const, source: 'form' }];
    await contactOf(svc, { externalId: 'all', firstName: 'Ada', properties: { plan: 'pro' }, consents: news });
    await contactOf(svc, { externalId: 'no consent', firstName: 'Ada', properties: { plan: 'pro' } });
    await contactOf(svc, { externalId: 'no member', firstName: 'Ada', consents: news });
    await contactOf(svc, { externalId: 'other name', firstName: 'Bob', properties: { plan: 'pro' }, consents: news });
    const filter = { segmentId: segment.id, topic: 'news', query: 'ad' };
    expect(await names(svc, filter)).to.deep.equal(['all']);
    expect(await names(svc, { ...filter, channel: 'email' })).to.deep.equal(['all']);
    expect(await names(svc, { ...filter, channel: 'sms' })).to.deep.equal([]);
  });

  it('pages filtered lists with each contact once, even if it matches in several ways', async () => {
    const { svc } = await platform.account();
    const made: string[] = [];
    for (let index = 0; index < 9; index += 1)
      made.unshift(
        (
          await contactOf(svc, {
            email: `ada${index}@example.com`,
            externalId: `ada${index}`,
            firstName: 'Ada',
            lastName: 'Adams',
          })
        ).id,
      );
    const seen: string[] = [];
    for (let before: string | null | undefined; before !== null;) {
      const page = await svc.call('audience.contact.list', {
        query: 'ada',
        limit: 4,
        ...(before === undefined ? {} : { before }),
      });
      seen.push(...page.contacts.map(({ id }) => id));
      before = page.nextBefore;
    }
    expect(seen).to.deep.equal(made);
  });

  it('answers alike for another environment’s segment and an unknown one, and refuses an invalid cursor', async () => {
    const { svc, svcTest } = await platform.account();
    const { segment } = await segmentOf(svcTest);
    const unknown = refusalBody(await svc.refusal('audience.contact.list', { segmentId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(refusalBody(await svc.refusal('audience.contact.list', { segmentId: segment.id }))).to.deep.equal(unknown);
    expect((await svc.refusal('audience.contact.list', { before: 'first' })).details).to.deep.equal({
      field: 'before',
    });
    expect((await svc.refusal('audience.contact.list', { query: '' })).details).to.deep.equal({ field: 'query' });
  });
});
