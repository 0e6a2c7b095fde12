import { expect } from 'chai';
import { hours, minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';
import { deliveriesOf, endpointAt, quiet, rename, useReceivers } from './support.js';

describe('An endpoint that answers with Retry-After', () => {
  const platform = usePlatform();
  const receiverOf = useReceivers();

  it('is asked again after that time, if it is later than the schedule, and within a day', async () => {
    const receiver = await receiverOf();
    const { svcTest } = await platform.account();
    const { endpointId } = await endpointAt(svcTest, receiver);
    const inHalfAnHour = new Date(platform.clock.now().getTime() + minutes(30)).toUTCString();
    for (const [status, header, wait] of [
      [429, '3600', hours(1)],
      [503, '900', minutes(15)],
      [500, inHalfAnHour, minutes(30)],
      [429, '5', minutes(1)],
      [503, '999999999', hours(24)],
      [503, '-3', minutes(1)],
      [503, 'soon', minutes(1)],
    ] as const) {
      receiver.answer = (_, response) => void response.writeHead(status, { 'Retry-After': header }).end();
      await rename(svcTest, `Renamed ${header}`);
      await quiet(platform);
      const [latest] = await deliveriesOf(svcTest, endpointId, 'failed');
      const asked = Date.parse(latest?.nextAttemptAt ?? '') - Date.parse(latest?.attemptedAt ?? '');
      // An HTTP date has no milliseconds.
      expect(asked, header).to.be.within(wait - 1_000, wait);
    }
  });
});
