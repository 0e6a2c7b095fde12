import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { newId } from '#core/runtime/id.js';
import { paymentContractSettings } from '#test/billing/payment/contract.js';
import { useDns } from '#test/support/dns.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { operations } from './support/operations.js';
import { alsoNeeded, prepareWrite } from './support/write-calls.js';

/** Operations that change one thing that exists, as two people or a double click do at the same time. */
const changes = operations.filter(({ name }) => /\.(save|publish|update|set|pause|resume|activate)$/.test(name));

describe('Twenty calls that change one thing at once', () => {
  const names = useDns();
  const platform = usePlatform({
    settings: async () => ({ SVC_SIGNUP: 'open', ...(await names.settings()), ...(await paymentContractSettings()) }),
  });

  for (const operation of changes)
    itNeeding(...(alsoNeeded[operation.name] ?? []))(
      `${operation.name} succeeds or is refused, never with 503`,
      async () => {
        const account = await platform.account();
        const { body, key } = await prepareWrite(operation, platform, account);
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            platform.api.raw(pathOf(operation.name), body, { key, idempotencyKey: newId() }),
          ),
        );
        expect(answers.map(({ status }) => status)).to.include(200);
        for (const { status, text } of answers) expect(status, text).to.be.lessThan(500);
      },
    );
});
