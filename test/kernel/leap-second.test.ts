import { expect } from 'chai';
import { needProducts } from '#test/support/products.js';
import { usePlatform } from '#test/support/platform.js';

describe('A time with a leap second', () => {
  needProducts('audience', 'email');
  const platform = usePlatform();

  it('is read as the second after it, in fields of every kind', async () => {
    const { svc } = await platform.account();
    await svc.call('audience.topic.create', { key: 'news', name: 'News' });
    for (const givenAt of ['2016-12-31T23:59:60Z', '2016-12-31T18:59:60.5-05:00', '2017-01-01t00:59:60+01:00']) {
      await svc.call('audience.contact.upsert', {
        ...{ email: 'ada@example.com', consents: [{ topic: 'news', channel: 'email', source: 'test', givenAt }] },
      });
      const { consents } = await svc.call('audience.contact.get', { email: 'ada@example.com' });
      expect(consents[0]?.since, givenAt).to.equal('2017-01-01T00:00:00.000Z');
    }
    await svc.call('email.message.list', { since: '2026-06-30T23:59:60Z' });
  });

  it('is refused at any other time, and the refusal says why', async () => {
    const { svc } = await platform.account();
    for (const sendAfter of ['2026-11-29T10:00:60Z', '2026-12-30T23:59:60Z', '2027-01-01T23:59:60+01:00']) {
      const refused = await svc.refusal('email.send', { to: 'ada@example.com', subject: 'A', text: 'B', sendAfter });
      expect(refused.code).to.equal('invalid_input');
      expect(refused.message).to.equal(
        'The field “sendAfter” has the second 60, which is only at the end of a month in UTC: 23:59:60Z.',
      );
    }
  });
});
