import { expect } from 'chai';
import { pathOf, type Operation } from '#core/kernel/operation.js';
import { newId } from '#core/runtime/id.js';
import { operatorKey } from '#test/billing/support.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { sideFor } from './support/contracts.js';
import { exampleWith, keyFor, operations, requiredIds } from './support/operations.js';
import { makerOf, makeThings, type Place } from './support/things.js';
import { alsoNeeded } from './support/write-calls.js';

interface ComparableAnswer {
  status: number;
  body: string;
}

/** What a caller can compare: everything but the request's id. */
async function answerOf(
  { platform, account, side }: Place,
  operation: Operation,
  input: object,
): Promise<ComparableAnswer> {
  const key = keyFor(operation, account, side);
  const { status, text } = await platform.api.raw(pathOf(operation.name), JSON.stringify(input), { key });
  return { status, body: text.replace(/"requestId":"[^"]*"/, '"requestId":""') };
}

/** The example with ids that exist at `place`, and `id` for one field. */
const inputWith = async (operation: Operation, place: Place, field: string, id: string | undefined): Promise<object> =>
  exampleWith(operation, { ...(await makeThings(operation, place)), [field]: id });

describe('The id of another tenant reads exactly as one that does not exist', () => {
  const platform = usePlatform();

  for (const operation of operations.filter(({ access }) => access === 'operator')) {
    for (const field of requiredIds(operation)) {
      it(`${operation.name} by ${field}: the operator reaches every account, and no other`, async () => {
        const place: Place = { platform, account: await platform.account(), side: 'live' };
        const call = async (input: object): Promise<string> =>
          (await platform.api.raw(pathOf(operation.name), JSON.stringify(input), { key: operatorKey(platform) })).text;
        expect(await call(await inputWith(operation, place, field, newId()))).to.contain('"code":"not_found"');
        const own = exampleWith(operation, await makeThings(operation, place));
        expect(await call(own)).not.to.contain('"error"');
      });
    }
  }

  for (const operation of operations.filter(({ access }) => access === 'public')) {
    for (const field of requiredIds(operation)) {
      it(`${operation.name} by ${field}: anybody reaches what there is, and nothing else`, async () => {
        const place: Place = { platform, account: await platform.account(), side: 'live' };
        const random = await answerOf(place, operation, await inputWith(operation, place, field, newId()));
        expect(random.body).to.contain('"code":"not_found"');
        const reached = await answerOf(place, operation, exampleWith(operation, await makeThings(operation, place)));
        expect(reached.body).not.to.contain('"code":"not_found"');
      });
    }
  }

  for (const operation of operations.filter(({ access }) => access !== 'operator' && access !== 'public')) {
    for (const field of requiredIds(operation)) {
      const { name, product } = operation;

      itNeeding(...(alsoNeeded[name] ?? []))(`${name} by ${field}`, async () => {
        const [account, stranger] = [await platform.account(), await platform.account()];
        const side = sideFor(operation);
        const place: Place = { platform, account, side };
        const random = await answerOf(place, operation, await inputWith(operation, place, field, newId()));
        expect(random.status).to.equal(404);
        expect(random.body).to.contain('"code":"not_found"');

        const foreign = await makeThings(operation, { platform, account: stranger, side });
        const foreignInput = await inputWith(operation, place, field, foreign[field]);
        expect(await answerOf(place, operation, foreignInput)).to.deep.equal(random);
        if (makerOf(product, field)?.owner !== 'account') {
          const sibling = await makeThings(operation, { platform, account, side: side === 'live' ? 'test' : 'live' });
          const siblingInput = await inputWith(operation, place, field, sibling[field]);
          expect(await answerOf(place, operation, siblingInput)).to.deep.equal(random);
        }

        // The refused ids exist: their own tenant can use them.
        const strangers: Place = { platform, account: stranger, side };
        const reached = await answerOf(strangers, operation, exampleWith(operation, foreign));
        expect(reached.body).not.to.contain('"code":"not_found"');
      });
    }
  }
});
