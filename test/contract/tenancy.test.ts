import { expect } from 'chai';
import { pathOf, type Operation } from '#core/kernel/operation.js';
import { newId } from '#core/runtime/id.js';
import type { Api } from '#test/support/api.js';
import { usePlatform } from '#test/support/platform.js';
import { exampleWith, operations, requiredIds } from './support/operations.js';
import { makerOf, makeThings, type Place } from './support/things.js';

interface ComparableAnswer {
  status: number;
  body: string;
}

/** What a caller can compare: everything but the request's id. */
async function answerOf(api: Api, operation: Operation, input: object): Promise<ComparableAnswer> {
  const { status, text } = await api.raw(pathOf(operation.name), JSON.stringify(input));
  return { status, body: text.replace(/"requestId":"[^"]*"/, '"requestId":""') };
}

/** The example with ids that exist at `place`, and `id` for one field. */
const inputWith = async (operation: Operation, place: Place, field: string, id: string | undefined): Promise<object> =>
  exampleWith(operation, { ...(await makeThings(operation, place)), [field]: id });

describe('The id of another tenant reads exactly as one that does not exist', () => {
  const platform = usePlatform();

  for (const operation of operations) {
    for (const field of requiredIds(operation)) {
      const { name, product } = operation;

      it(`${name} by ${field}`, async () => {
        expect(operation.access, 'this test calls with secret keys only: extend it for another access').to.equal(
          'secret',
        );
        const [account, stranger] = [await platform.account(), await platform.account()];
        const place: Place = { platform, account, side: 'live' };
        const random = await answerOf(account.svc, operation, await inputWith(operation, place, field, newId()));
        expect(random.status).to.equal(404);
        expect(random.body).to.contain('"code":"not_found"');

        const foreign = await makeThings(operation, { platform, account: stranger, side: 'live' });
        const foreignInput = await inputWith(operation, place, field, foreign[field]);
        expect(await answerOf(account.svc, operation, foreignInput)).to.deep.equal(random);
        if (makerOf(product, field)?.owner === 'environment') {
          const sibling = await makeThings(operation, { platform, account, side: 'test' });
          const siblingInput = await inputWith(operation, place, field, sibling[field]);
          expect(await answerOf(account.svc, operation, siblingInput)).to.deep.equal(random);
        }

        // The refused ids exist: their own tenant can use them.
        const reached = await answerOf(stranger.svc, operation, exampleWith(operation, foreign));
        expect(reached.body).not.to.contain('"code":"not_found"');
      });
    }
  }
});
