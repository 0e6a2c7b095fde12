import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, failedDelivery, rename, useReceivers, quiet } from '../support.js';

describe('developers.webhook.deliveries.list', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('lists attempts newest first, page by page, without duplicates during writes', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    for (let index = 0; index < 5; index++) {
      await rename(svcTest, `Renamed ${index}`);
      await receiver.waitFor(index + 1);
      await quiet(platform);
    }
    const all = await deliveriesOf(svcTest, endpointId);
    const events = receiver.received.map(({ event }) => event.id).reverse();
    expect(all.map(({ eventId }) => eventId)).to.deep.equal(events);
    const pages: string[][] = [];
    for (let before: string | null = 'first'; before !== null;) {
      const input: { limit: number; before?: string } = before === 'first' ? { limit: 2 } : { limit: 2, before };
      const { deliveries, nextBefore } = await svcTest.call('developers.webhook.deliveries.list', input);
      pages.push(deliveries.map(({ eventId }) => eventId));
      await rename(svcTest, `Between pages ${pages.length}`);
      await quiet(platform);
      before = nextBefore;
    }
    expect(pages).to.deep.equal([events.slice(0, 2), events.slice(2, 4), events.slice(4)]);
  });

  it('filters by endpoint, event and status, alone and together', async () => {
    const [well, ill] = [await receiverOf(), await receiverOf()];
    const { svcTest } = await platform.account();
    const { endpointId: good } = await endpointAt(svcTest, well);
    const { endpointId: bad, delivery } = await failedDelivery(platform, svcTest, ill);
    const { eventId } = delivery;
    const found = async (input: object): Promise<string[]> => {
      const text = (await svcTest.raw('/developers/webhook/deliveries/list', JSON.stringify(input))).text;
      return [...text.matchAll(/"attempt":(\d),"status":"(\w+)"/g)].map(
        ([, attempt, status]) => `${attempt} ${status}`,
      );
    };
    expect(await found({})).to.have.members(['1 delivered', '1 failed', '2 queued']);
    expect(await found({ endpointId: good })).to.deep.equal(['1 delivered']);
    expect(await found({ endpointId: bad })).to.deep.equal(['2 queued', '1 failed']);
    expect(await found({ eventId })).to.have.length(3);
    expect(await found({ eventId, status: 'failed' })).to.deep.equal(['1 failed']);
    expect(await found({ endpointId: good, status: 'failed' })).to.deep.equal([]);
    expect(await found({ status: 'queued' })).to.deep.equal(['2 queued']);
    expect(await found({ status: 'delivering' })).to.deep.equal([]);
    expect(await found({ status: 'dead' })).to.deep.equal([]);
    for (const unknown of [{ endpointId: newId() }, { eventId: newId() }])
      expect((await svcTest.refusal('developers.webhook.deliveries.list', unknown)).code).to.equal('not_found');
    ill.answer = answering(204);
    platform.clock.advance(minutes(1));
    await ill.waitFor(2);
    await quiet(platform);
    expect(await found({ endpointId: bad })).to.deep.equal(['2 delivered', '1 failed']);
  });

  it('never shows deliveries of another environment or account, whatever the filter', async () => {
    const receiver = await receiverOf();
    const [{ svc, svcTest }, stranger] = [await platform.account(), await platform.account()];
    const { endpointId, delivery } = await failedDelivery(platform, svcTest, receiver);
    for (const api of [svc, stranger.svc, stranger.svcTest]) {
      expect(await api.call('developers.webhook.deliveries.list', {})).to.deep.equal({
        deliveries: [],
        nextBefore: null,
      });
      for (const filter of [{ endpointId }, { eventId: delivery.eventId }])
        expect((await api.refusal('developers.webhook.deliveries.list', filter)).code).to.equal('not_found');
    }
  });

  it('refuses invalid filters', async () => {
    const { svc } = await platform.account();
    for (const [field, input] of [
      ['status', { status: 'lost' }],
      ['endpointId', { endpointId: 'mine' }],
      ['eventId', { eventId: 1 }],
      ['before', { before: 'x' }],
      ['limit', { limit: 1.5 }],
    ] as const) {
      const { code, details } = await svc.refusal('developers.webhook.deliveries.list', input);
      expect({ code, details }).to.deep.equal({ code: 'invalid_input', details: { field } });
    }
  });
});
