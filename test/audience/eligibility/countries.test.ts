import { expect } from 'chai';
import { getExampleNumber, getCountries } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { countryOf, parsePhone } from '#core/kernel/schema/phone.js';
import { recipients } from '#plugins/audience/ports.js';
import { eventually } from '#test/support/eventually.js';
import { usePlatform } from '#test/support/platform.js';

describe('The audience of a topic on sms', () => {
  const platform = usePlatform();

  it('is counted by the countries of its numbers, those that share a calling code too', async () => {
    const { svc, live } = await platform.account();
    await svc.call('audience.topic.create', { key: 'offers', name: 'Offers' });
    const known = getCountries().map((country) => getExampleNumber(country, examples)?.number ?? '');
    const numbers = [...new Set(known)].filter((number) => parsePhone(number).ok);
    expect(numbers.length).to.be.above(200);
    const consents = [{ topic: 'offers', channel: 'sms' as const, source: 'form' }];
    await svc.call('audience.contact.import', { contacts: numbers.map((phone) => ({ phone })), consents });
    const expected = new Map<string | null, number>();
    for (const country of numbers.map(countryOf)) expected.set(country, (expected.get(country) ?? 0) + 1);
    const counted = () =>
      platform.running.services.read('Test', ({ use }) =>
        use(recipients).countAudience(live.id, { channel: 'sms', topic: 'offers' }, null),
      );
    await eventually(async () => (await counted()).eligible === numbers.length, 'imported contacts');
    expect(new Map([...(await counted()).eligibleByCountry].sort())).to.deep.equal(new Map([...expected].sort()));
  });
});
