import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { days } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { refusalBody } from '../../account/support.js';
import { contactOf, topicOf } from '../support.js';
import { segmentOf } from './support.js';

describe('audience.segment.get, list and preview', () => {
  const platform = usePlatform();

  it('get counts the current members: a changed contact joins or leaves at the next call', async () => {
    const { svc } = await platform.account();
    const { segment } = await segmentOf(svc);
    const size = async (): Promise<number> => (await svc.call('audience.segment.get', { segmentId: segment.id })).size;
    expect(await size()).to.equal(0);
    const { id: contactId } = await contactOf(svc, { email: 'ada@example.com', properties: { plan: 'pro' } });
    expect(await size()).to.equal(1);
    await svc.call('audience.contact.update', { contactId, properties: { plan: 'free' } });
    expect(await size()).to.equal(0);
    await svc.call('audience.contact.update', { contactId, properties: { plan: 'pro' } });
    expect(await size()).to.equal(1);
    await svc.call('audience.contact.update', { contactId, properties: { plan: null } });
    expect(await size()).to.equal(0);
    await svc.call('audience.contact.update', { contactId, properties: { plan: 'pro' } });
    await svc.call('audience.contact.delete', { contactId });
    expect(await size()).to.equal(0);
  });

  it('lists with `suggest` what conditions can name, of the own environment only', async () => {
    const { svc, svcTest } = await platform.account();
    const { id: contactId } = await contactOf(svc, { email: 'ada@example.com', properties: { plan: 'pro', seats: 3 } });
    for (const properties of [{ total: 3 }, { total: 4, coupon: 'NEW' }])
      await svc.call('audience.event.record', { contactId, name: 'order.placed', properties });
    const { suggestions } = await svc.call('audience.segment.list', { suggest: true });
    expect(suggestions?.properties).to.deep.equal(['plan', 'seats']);
    expect(suggestions?.events.filter(({ recorded }) => recorded)).to.deep.equal([
      { name: 'order.placed', properties: ['coupon', 'total'], recorded: true },
    ]);
    expect(suggestions?.events).to.deep.include({
      name: 'audience.consent.granted',
      properties: ['consent'],
      recorded: false,
    });
    const elsewhere = await svcTest.call('audience.segment.list', { suggest: true });
    expect(elsewhere.suggestions?.properties).to.deep.equal([]);
    expect(elsewhere.suggestions?.events.filter(({ recorded }) => recorded)).to.deep.equal([]);
    expect((await svc.call('audience.segment.list', {})).suggestions).to.equal(null);
  });

  it('follows consent, and ignores revocations of erased contacts', async () => {
    const { svc } = await platform.account();
    await topicOf(svc);
    const { id: contactId } = await contactOf(svc);
    const state = (value: string) => ({ field: 'consent.email.news', op: 'eq', value });
    const { segment: granted } = await segmentOf(svc, { name: 'In', definition: state('granted') });
    const { segment: revoked } = await segmentOf(svc, { name: 'Out', definition: state('revoked') });
    const sizes = async (): Promise<number[]> => [
      (await svc.call('audience.segment.get', { segmentId: granted.id })).size,
      (await svc.call('audience.segment.get', { segmentId: revoked.id })).size,
    ];
    expect(await sizes()).to.deep.equal([0, 0]);
    await svc.call('audience.consent.grant', { contactId, topic: 'news', channel: 'email', source: 'form' });
    expect(await sizes()).to.deep.equal([1, 0]);
    await svc.call('audience.consent.revoke', { contactId, topic: 'news', channel: 'email', source: 'call' });
    expect(await sizes()).to.deep.equal([0, 1]);
    await svc.call('audience.contact.delete', { contactId });
    expect(await sizes()).to.deep.equal([0, 0]);
  });

  it('compares event counts with fractions and very large numbers exactly, in the size and the sample alike', async () => {
    const { svc } = await platform.account();
    for (const count of [1, 2, 3])
      await contactOf(svc, { externalId: `x${count}` }).then(async ({ id: contactId }) => {
        for (let times = 0; times < count; times += 1)
          await svc.call('audience.event.record', { contactId, name: 'x.y' });
      });
    const counts: readonly [op: string, value: unknown, expected: number][] = [
      ['eq', 2.5, 0],
      ['neq', 2.5, 3],
      ['in', [2, 2.5, 1e300], 1],
      ['in', [1.5, 2.5], 0],
      ['gt', 1.5, 2],
      ['gte', 1.5, 2],
      ['gte', -0.5, 3],
      ['lt', 2.5, 2],
      ['lte', 2.5, 2],
      ['lt', 1e300, 3],
      ['gt', 1e300, 0],
      ['gt', -1e300, 3],
    ];
    for (const [op, value, expected] of counts) {
      const definition = { field: 'event.x.y.count', op, value };
      const preview = await svc.call('audience.segment.preview', { definition });
      expect([preview.size, preview.sample.length], JSON.stringify(definition)).to.deep.equal([expected, expected]);
    }
  });

  it('evaluates within_days by the injected clock', async () => {
    const { svc } = await platform.account();
    await contactOf(svc);
    const { segment } = await segmentOf(svc, { definition: { field: 'createdAt', op: 'within_days', value: 7 } });
    const size = async (): Promise<number> => (await svc.call('audience.segment.get', { segmentId: segment.id })).size;
    platform.clock.advance(days(7));
    expect(await size()).to.equal(1);
    platform.clock.advance(1);
    expect(await size()).to.equal(0);
  });

  it('list pages newest first, with each segment once', async () => {
    const { svc, svcTest } = await platform.account();
    await segmentOf(svcTest, { name: 'Theirs' });
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) made.unshift((await segmentOf(svc, { name: `S${index}` })).segment.id);
    const first = await svc.call('audience.segment.list', { limit: 3 });
    await segmentOf(svc, { name: 'Meanwhile' });
    const second = await svc.call('audience.segment.list', { limit: 3, before: first.nextBefore ?? '' });
    expect([...first.segments, ...second.segments].map(({ id }) => id)).to.deep.equal(made);
    expect(second.nextBefore).to.equal(null);
  });

  it('preview shows the size and the requested number of newest members, and saves nothing', async () => {
    const { svc } = await platform.account();
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) made.unshift((await contactOf(svc, { externalId: `x${index}` })).id);
    const definition = { field: 'createdAt', op: 'exists' };
    const ids = async (sample?: number): Promise<string[]> => {
      const input = { definition, ...(sample === undefined ? {} : { sample }) };
      const preview = await svc.call('audience.segment.preview', input);
      expect(preview.size).to.equal(12);
      return preview.sample.map(({ id }) => id);
    };
    expect(await ids()).to.deep.equal(made.slice(0, 10));
    expect(await ids(0)).to.deep.equal([]);
    expect(await ids(3)).to.deep.equal(made.slice(0, 3));
    expect(await ids(50)).to.deep.equal(made);
    for (const sample of [-1, 51, 1.5])
      expect(await svc.refusal('audience.segment.preview', { definition, sample })).to.include({
        code: 'invalid_input',
      });
    expect((await svc.call('audience.segment.list', {})).segments).to.deep.equal([]);
  });

  it('get answers alike for another environment’s segment and an unknown one', async () => {
    const { svc, svcTest } = await platform.account();
    const { segment } = await segmentOf(svcTest);
    const unknown = refusalBody(await svc.refusal('audience.segment.get', { segmentId: newId() }));
    expect(unknown).to.include({ status: 404, code: 'not_found' });
    expect(refusalBody(await svc.refusal('audience.segment.get', { segmentId: segment.id }))).to.deep.equal(unknown);
  });
});
