import { idBytes } from '#core/runtime/id.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';
import { answering, deliveriesOf, endpointAt, rename, useReceivers } from './support.js';

describe('While a call holds the row of a failing endpoint', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('its outcomes and those of other tenants are recorded, and its health by the next outcome', async () => {
    const [failing, whole] = [await receiverOf(), await receiverOf()];
    failing.answer = answering(500);
    const [{ svcTest: one }, { svcTest: other }] = [await platform.account(), await platform.account()];
    const { endpointId: failingId } = await endpointAt(one, failing);
    const { endpointId: wholeId } = await endpointAt(other, whole);
    const failures = async (count: number): Promise<void> =>
      eventually(async () => (await deliveriesOf(one, failingId, 'failed')).length === count, `${count} failures`);
    await platform.running.services.transaction('Test', async ({ db }) => {
      await db.rows('SELECT id FROM developers_webhook WHERE id = ? FOR UPDATE', [idBytes(failingId)]);
      await rename(one, 'Failing');
      await failing.waitFor(1);
      await rename(other, 'Whole');
      await eventually(
        async () => (await deliveriesOf(other, wholeId, 'delivered')).length === 1,
        'the delivery of the other tenant, while the row is held',
      );
      await failures(1);
    });
    await rename(one, 'Failing again');
    await failures(2);
    await eventually(
      async () => (await platform.count('developers_webhook', 'failing_since IS NOT NULL')) === 1,
      'the health of the endpoint',
    );
  });
});
