import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { paymentContractSettings } from '#test/billing/payment/contract.js';
import { at } from '#test/support/json.js';
import { useDns } from '#test/support/dns.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { sideFor } from './support/contracts.js';
import { exampleWith, keyFor, operations, requiredIds } from './support/operations.js';
import { makeThings, type Place } from './support/things.js';
import { alsoNeeded, prepareWrite } from './support/write-calls.js';

describe('An id in capital letters is the same id', () => {
  const names = useDns();
  const platform = usePlatform({
    settings: async () => ({ ...(await names.settings()), ...(await paymentContractSettings()) }),
  });

  for (const operation of operations.filter((each) => requiredIds(each).length > 0)) {
    const { name, impact } = operation;
    itNeeding(...(alsoNeeded[name] ?? []))(`${name} finds it, and answers and records it in small ones`, async () => {
      const account = await platform.account();
      const place: Place = { platform, account, side: sideFor(operation) };
      const prepared = impact.read ? null : await prepareWrite(operation, platform, account);
      const body = prepared?.body ?? JSON.stringify(exampleWith(operation, await makeThings(operation, place)));
      const input: unknown = JSON.parse(body);
      const ids = requiredIds(operation).map((field) => String(at(input, field)));
      const capitals = ids.map((id) => id.toUpperCase());
      const sent = ids.reduce((text, id) => text.replaceAll(id, id.toUpperCase()), body);
      expect(sent).to.not.equal(body);
      const key = prepared?.key ?? keyFor(operation, account, place.side);
      const { status, text } = await platform.api.raw(pathOf(name), sent, { key });
      expect(status, text).to.equal(200);
      for (const id of capitals) {
        expect(text).to.not.contain(id);
        for (const table of ['svc_activity', 'svc_event'])
          expect(await platform.count(table, `subject_id = '${id}'`), table).to.equal(0);
      }
    });
  }
});
