import { expect } from 'chai';
import type { Environment } from '#core/kernel/caller/caller.js';
import { erasure } from '#core/kernel/ports.js';
import { resumeErasures } from '#core/kernel/erasure/deferred.js';
import { newId } from '#core/runtime/id.js';
import { minutes } from '#test/support/clock.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { searchDatabase } from '#test/support/search-database.js';

const aMinuteLater = async (platform: TestPlatform): Promise<void> => {
  await platform.settled();
  platform.clock.advance(minutes(1));
  await platform.settled();
};

/** Asks for an erasure as a product does that deletes a contact, and waits for both of its looks. */
async function erase(platform: TestPlatform, environment: Environment, email: string): Promise<void> {
  await platform.running.services.transaction('Test', ({ use }) =>
    use(erasure).request({ environment, personId: newId(), email, phone: null }),
  );
  await aMinuteLater(platform);
}

const keptBy = (platform: TestPlatform): Promise<number[]> =>
  Promise.all(['svc_erasure', 'svc_erasure_queue', 'svc_erasure_deferred'].map((table) => platform.count(table)));

describe('Erasing a person while email is disabled', () => {
  const platform = usePlatform();
  const found = (): Promise<string[]> => searchDatabase(platform.running.services.database, 'ada.disabled');
  const kept = (): Promise<number[]> => keptBy(platform);

  it('is kept, and erases their mail once email is enabled again', async () => {
    const { svc, live } = await platform.account();
    const email = 'ada.disabled@example.com';
    await svc.call('email.send', { to: email, subject: 'Hello', text: `You are ${email}.` });
    await platform.settled();

    const { products } = platform.running.services.deployment;
    const withoutEmail = { SVC_PRODUCTS: products.filter((name) => name !== 'email').join(',') };
    await platform.restart(withoutEmail);
    await erase(platform, live, email);
    expect(await kept(), 'it waits for email').to.deep.equal([1, 0, 1]);
    await resumeErasures(platform.running.services);
    await platform.restart(withoutEmail);
    expect(await kept(), 'email is disabled still').to.deep.equal([1, 0, 1]);
    expect(await found()).to.include('email_recipient.address');

    await platform.restart({});
    await aMinuteLater(platform);
    expect(await found()).to.deep.equal([]);
    expect(await kept()).to.deep.equal([0, 0, 0]);
  });
});

describe('Erasing a person where email was never enabled', () => {
  const platform = usePlatform({ settings: () => ({ SVC_PRODUCTS: 'account,developers' }) });

  it('is not kept, because there are no tables of it', async () => {
    const { live } = await platform.account();
    await erase(platform, live, 'ada.never@example.com');
    expect(await keptBy(platform)).to.deep.equal([0, 0, 0]);
  });
});
