import { expect } from 'chai';
import { erasure } from '#core/kernel/ports.js';
import { newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform } from '#test/support/platform.js';

describe('Erasing a person while audience is disabled', () => {
  const platform = usePlatform();
  const aMinuteLater = async (): Promise<void> => {
    await platform.settled();
    platform.clock.advance(minutes(1));
    await platform.settled();
  };

  it('leaves the suppression of a contact that had the same address, and erases the others once audience is enabled again', async () => {
    const { svc, live } = await platform.account();
    for (const email of ['shared@example.com', 'alone@example.com'])
      await svc.call('audience.suppression.add', { email });
    await svc.call('audience.contact.upsert', { email: 'shared@example.com' });
    const { products } = platform.running.services.deployment;
    await platform.restart({ SVC_PRODUCTS: products.filter((name) => name !== 'audience').join(',') });
    for (const email of ['shared@example.com', 'alone@example.com'])
      await platform.running.services.transaction('Test', ({ use }) =>
        use(erasure).request({ environment: live, personId: newId(), email, phone: null }),
      );
    await aMinuteLater();
    await platform.restart({});
    await aMinuteLater();
    const { suppressions } = await svc.call('audience.suppression.list', {});
    expect(suppressions.map(({ email }) => email)).to.have.members(['shared@example.com', null]);
  });
});
