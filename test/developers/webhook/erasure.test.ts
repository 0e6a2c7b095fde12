import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { emitAnything } from '#test/support/emit.js';
import type { Environment } from '#core/kernel/caller/caller.js';
import { erasure } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { searchDatabase } from '#test/support/search-database.js';
import type { WebhookReceiver } from '#test/support/webhook-receiver.js';
import { deliveriesOf, endpointAt, quiet, useReceivers } from './support.js';

/** A receiver that echoes the request in body and headers. */
const echoing =
  (status: number, name: string): WebhookReceiver['answer'] =>
  ({ body }, response) =>
    void response.writeHead(status, { 'X-Echo': name }).end(body);

describe('Erasing a person', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();
  const found = (name: string): Promise<string[]> => searchDatabase(platform.running.services.database, name);

  /** A person with one event. */
  async function tellOf(environment: Environment): Promise<{ personId: string; name: string }> {
    const [personId, name] = [newId(), `ada${randomBytes(6).toString('hex')}`];
    await platform.running.services.transaction('Test', async ({ emit, actIn }) => {
      actIn(environment);
      emitAnything({ emit }, 'account.theme.draft_saved', { subjectId: personId, personId, data: { name } });
    });
    return { personId, name };
  }
  const erase = (environment: Environment, personId: string): Promise<unknown> =>
    platform.running.services.transaction('Test', ({ use }) =>
      use(erasure).request({ environment, personId, email: null, phone: null }),
    );

  it('deletes the stored responses of receivers and keeps the deliveries readable', async () => {
    const { svcTest, test } = await platform.account();
    const [well, ill] = [await receiverOf(), await receiverOf()];
    const ends = [await endpointAt(svcTest, well), await endpointAt(svcTest, ill)];
    const { personId, name } = await tellOf(test);
    well.answer = echoing(200, name);
    ill.answer = echoing(500, name);
    await quiet(platform);
    expect(await found(name)).to.deep.equal([
      'developers_delivery.response_headers',
      'developers_delivery.response_body',
      'svc_event.data',
    ]);
    await erase(test, personId);
    await quiet(platform);
    expect(await found(name)).to.deep.equal([]);
    for (const [index, status] of ['delivered', 'failed'].entries()) {
      const delivery = (await deliveriesOf(svcTest, ends[index]?.endpointId ?? '')).find((each) => each.attempt === 1);
      const shown = await svcTest.call('developers.webhook.delivery.get', { deliveryId: delivery?.deliveryId ?? '' });
      expect(shown.delivery).to.include({ status, error: null });
      expect(shown.response).to.deep.equal({ status: status === 'failed' ? 500 : 200, headers: {}, body: '' });
      expect(shown.request.body).to.contain('"data":{"erased":true}');
    }
  });

  it('redacts an undelivered event, which then says only that the person was erased', async () => {
    const { svcTest, test } = await platform.account();
    const receiver = await receiverOf();
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await endpointAt(svcTest, receiver);
    const { personId, name } = await tellOf(test);
    await receiver.waitFor(1);
    await quiet(platform);
    await erase(test, personId);
    await quiet(platform);
    platform.clock.advance(minutes(1));
    const [first, retried] = await receiver.waitFor(2);
    expect(first?.event.data).to.deep.equal({ name });
    expect(retried?.event).to.deep.include({
      id: first?.event.id,
      type: 'account.theme.draft_saved',
      data: { erased: true },
    });
  });

  it('also deletes the late response to a delivery in flight', async () => {
    const { svcTest, test } = await platform.account();
    const receiver = await receiverOf();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const slow: { answer?: () => void } = {};
    receiver.answer = (webhook, response) => {
      slow.answer = () => echoing(200, 'late')(webhook, response);
    };
    const { personId, name } = await tellOf(test);
    await receiver.waitFor(1);
    await erase(test, personId);
    const erasing = platform.running.workers.find(({ queue }) => queue === 'svc.erasure');
    for (let look = 0; look < 3; look += 1) {
      await erasing?.idle();
      platform.clock.advance(minutes(1));
    }
    expect([await found(name), await platform.count('svc_erasure')], 'it waits').to.deep.equal([[], 1]);
    slow.answer?.();
    await quiet(platform);
    expect((await deliveriesOf(svcTest, endpointId))[0]?.status).to.equal('delivered');
    platform.clock.advance(minutes(1));
    await quiet(platform);
    expect(await found(name)).to.deep.equal([]);
    expect(await platform.count('svc_erasure')).to.equal(0);
  });
});
