import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('The outcome of a delivery that cannot be stored', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();
  // Stands for whatever the database may refuse in an outcome.
  before(() =>
    platform.running.services.database.run(
      "ALTER TABLE developers_delivery ADD CONSTRAINT no_poison CHECK (response_headers NOT LIKE '%poison%')",
    ),
  );

  it('is recorded without the response, and neither it nor others of its batch are sent again', async () => {
    const [poison, whole] = [await receiverOf(), await receiverOf()];
    poison.answer = answering(204, '', { 'X-Note': 'poison' });
    const { svcTest } = await platform.account();
    const [{ endpointId: poisonId }, { endpointId: wholeId }] = [
      await endpointAt(svcTest, poison),
      await endpointAt(svcTest, whole),
    ];
    for (let index = 0; index < 10; index++) await rename(svcTest, `Renamed ${index}`);
    await quiet(platform);
    platform.clock.advance(minutes(10));
    await quiet(platform);
    expect([poison.received.length, whole.received.length]).to.deep.equal([10, 10]);
    const [delivery] = await deliveriesOf(svcTest, poisonId, 'delivered');
    expect((await deliveriesOf(svcTest, poisonId, 'delivered')).length).to.equal(10);
    expect((await deliveriesOf(svcTest, wholeId, 'delivered')).length).to.equal(10);
    const { response } = await svcTest.call('developers.webhook.delivery.get', {
      deliveryId: delivery?.deliveryId ?? '',
    });
    expect(response).to.deep.equal({ status: 204, headers: {}, body: '' });
  });
});
