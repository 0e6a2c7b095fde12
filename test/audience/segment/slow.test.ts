import { expect } from 'chai';
import { makersOf, SvcError } from '#core/kernel/errors/errors.js';
import { withTimeLimit } from '#core/runtime/database/time-limit.js';
import { errors } from '#plugins/audience/errors.js';
import { filterTree } from '#plugins/audience/segments/filter.js';
import { parseDefinition } from '#plugins/audience/segments/parse.js';
import { evaluate } from '#plugins/audience/segments/slow.js';
import type { Tree } from '#plugins/audience/segments/tree.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';
import { contactOf } from '../support.js';

const ten = `(SELECT 1 AS n${' UNION ALL SELECT 1'.repeat(9)})`;
const endless = `SELECT SUM(RAND() > 2) AS n FROM ${Array.from({ length: 10 }, (_, index) => `${ten} t${index}`).join(', ')}`;
const fail = makersOf<'invalid_definition', SvcError>(errors, (error) => error);

describe('A segment whose evaluation takes longer than five seconds', () => {
  const platform = usePlatform();

  /** The refusal of an evaluation that the database ends; it has one second here. */
  async function refusalOf({ live }: TestAccount, tree: Tree): Promise<SvcError> {
    const { database: db, clock } = platform.running.services;
    const scope = { environmentId: live.id, now: clock.now() };
    const refused: unknown = await evaluate({ db, scope, fail }, tree, () =>
      withTimeLimit(db, db.flavour, 1).rows(endless),
    ).catch((error: unknown) => error);
    if (refused instanceof SvcError) return refused;
    throw new Error('The evaluation was not refused.', { cause: refused });
  }

  it('is refused as invalid_definition, which names the costliest condition', async () => {
    const account = await platform.account();
    for (let index = 0; index < 5; index += 1)
      await contactOf(account.svc, { externalId: `x${index}`, properties: { note: `note ${index}` } });
    const cheap = { field: 'email', op: 'eq', value: 'ada@example.com' };
    const costly = { field: 'properties.note', op: 'contains', value: 'zzz' };
    for (const [definition, node] of [
      [{ all: [cheap, costly] }, 'all[1]'],
      [{ any: [{ not: costly }, cheap] }, 'any[0].not'],
      [costly, 'definition'],
    ] as const) {
      const { code, details, message } = await refusalOf(account, parseDefinition(definition));
      expect([code, details]).to.deep.equal(['invalid_definition', { node }]);
      expect(message).to.contain('takes longer than 5 seconds to evaluate');
    }
  });

  it('is refused as invalid_input where only a filter of audience.contact.list was evaluated', async () => {
    const [tree] = filterTree({ query: 'ada' });
    if (!tree) throw new Error('The query made no filter.');
    const { code, details } = await refusalOf(await platform.account(), tree);
    expect([code, details]).to.deep.equal(['invalid_input', { field: 'query' }]);
  });
});
