import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { publish } from '#test/email/template/support.js';
import type { TestAccount } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { useRoundTrips } from '#test/support/round-trips.js';

describe('Database round trips per call', () => {
  const { svc, commandsOf, expectRoundTrips } = useRoundTrips();

  let account: TestAccount;
  beforeEach(async () => {
    account = await svc.account();
  });

  it('account.get: the key, three reads together', () =>
    expectRoundTrips(2, () => account.svc.call('account.get', {})));

  itNeeding('audience')('audience.contact.upsert of a new contact', () =>
    expectRoundTrips(3, (index) =>
      account.svc.call('audience.contact.upsert', {
        externalId: `new-${index}`,
        email: `new${index}@example.com`,
        properties: { plan: 'pro' },
      }),
    ),
  );

  itNeeding('audience')('audience.contact.upsert of a known contact', () =>
    expectRoundTrips(3, (index) =>
      account.svc.call('audience.contact.upsert', { externalId: 'known', firstName: `Ada ${index}` }),
    ),
  );

  const message = { to: 'ada@example.com', subject: 'Your order', text: 'It is on its way.' };
  // Concurrent calls share the reads of the sender and of the recipient. The transaction is one round trip.
  itNeeding('email')('email.send: the key, the sender, the recipient, the transaction', () =>
    expectRoundTrips(4, () => account.svc.call('email.send', message, { idempotencyKey: randomUUID() })),
  );

  itNeeding('email')('email.send with a template: which version is published, the project’s language', async () => {
    const input = { to: 'ada@example.com', template: 'welcome', variables: { firstName: 'Ada', number: 7 } };
    await publish(account.svc, 'welcome');
    await expectRoundTrips(6, () => account.svc.call('email.send', input, { idempotencyKey: randomUUID() }));
  });

  // A transaction with many events gives them their positions itself.
  for (const [count, expected] of [
    [2, 3],
    [30, 3],
    [100, 4],
  ] as const)
    itNeeding('email')(`email.batch.send of ${count} messages`, () =>
      expectRoundTrips(expected, (index) => {
        const messages = Array.from({ length: count }, (_, n) => ({ ...message, to: `ada-${index}-${n}@example.com` }));
        return account.svc.call('email.batch.send', { messages }, { idempotencyKey: randomUUID() });
      }),
    );

  itNeeding('email')('a replay on the node that answered the first call', () =>
    expectRoundTrips(2, () => account.svc.call('email.send', message, { idempotencyKey: 'same' })),
  );

  it('reserves key-limit tokens in blocks', async () => {
    const commands = await commandsOf(100, () => account.svc.call('account.get', {}));
    expect(commands.filter((command) => command.includes('svc_ceiling'))).to.have.length.below(15);
  });
});
