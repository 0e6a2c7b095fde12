import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { newId } from '#core/runtime/id.js';
import { paymentContractSettings } from '#test/billing/payment/contract.js';
import { useDns } from '#test/support/dns.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { allOperations, operations } from './support/operations.js';
import { contracts } from './support/contracts.js';
import { alsoNeeded, filledIn, preparations, prepareWrite, refusedExample } from './support/write-calls.js';

/** Operations after which their caller is nobody any more: a repeat answers token_invalid. */
const endsItsCaller = new Set(['auth.me.delete']);

/**
 * Calls every write with its example and ids that exist. If the example of a new one does not succeed like this, say
 * what it needs in test/<product>/contract.ts: see support/contract.ts.
 */
describe('A write repeated with its Idempotency-Key', () => {
  const names = useDns();
  const platform = usePlatform({
    settings: async () => ({ SVC_SIGNUP: 'open', ...(await names.settings()), ...(await paymentContractSettings()) }),
  });
  const writes = operations.filter(({ name, impact }) => !impact.read && !endsItsCaller.has(name));

  for (const operation of writes) {
    itNeeding(...(alsoNeeded[operation.name] ?? []))(
      `${operation.name} answers the same bytes and writes nothing`,
      async () => {
        const account = await platform.account();
        const { body, key } = await prepareWrite(operation, platform, account);
        const options = { key, idempotencyKey: newId() };

        const first = await platform.api.raw(pathOf(operation.name), body, options);
        expect(first.status, refusedExample(operation, first.text)).to.equal(200);
        expect(first.headers.get('idempotent-replayed')).to.equal(null);
        await platform.settled();
        const written = [await platform.count('svc_activity'), await platform.count('svc_event')];

        const repeat = await platform.api.raw(pathOf(operation.name), body, options);
        expect(repeat.text).to.equal(first.text);
        expect(repeat.status).to.equal(200);
        expect(repeat.headers.get('idempotent-replayed')).to.equal('true');
        expect([await platform.count('svc_activity'), await platform.count('svc_event')]).to.deep.equal(written);
      },
    );
  }

  it('has preparations only for operations that exist', () => {
    const names = allOperations.map(({ name }) => name);
    const prepared = [preparations, filledIn].flatMap((each) => Object.keys(each));
    const declared = [...contracts.values()].flatMap((each) => [
      ...Object.keys(each.preparations ?? {}),
      ...(each.testEnvironmentOnly ?? []),
    ]);
    expect([...prepared, ...declared].filter((name) => !names.includes(name))).to.be.empty;
  });
});
