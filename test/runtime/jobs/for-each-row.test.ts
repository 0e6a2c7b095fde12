import { expect } from 'chai';
import { DatabaseUnavailable } from '#core/runtime/database/errors.js';
import { forEachRow } from '#core/runtime/jobs/for-each-row.js';
import { createLog } from '#core/runtime/log.js';

interface Numbered {
  readonly id: Buffer;
  readonly number: number;
}

/** Rows with the numbers from 1, whose ids have the same order. */
const rowsUpTo = (count: number): Numbered[] =>
  Array.from({ length: count }, (_, index) => {
    const id = Buffer.alloc(16);
    id.writeUInt32BE(index + 1);
    return { id, number: index + 1 };
  });

describe('A round of a recurring job over rows', () => {
  /** Handles all rows, which stay due. @returns the numbers that were handled */
  const round = async (
    rows: readonly Numbered[],
    handle: (number: number) => void = () => undefined,
    lines: string[] = [],
  ): Promise<number[]> => {
    const handled: number[] = [];
    await forEachRow({
      log: createLog('error', { write: (line) => void lines.push(line) }),
      job: 'test.round',
      read: (after, limit) => Promise.resolve(rows.filter(({ id }) => id.compare(after) > 0).slice(0, limit)),
      handle: ({ number }) => {
        handled.push(number);
        handle(number);
        return Promise.resolve();
      },
    });
    return handled;
  };

  for (const count of [0, 199, 200, 201, 400])
    it(`handles each of ${count} rows once, also where they stay due`, async () => {
      expect(await round(rowsUpTo(count))).to.deep.equal(rowsUpTo(count).map(({ number }) => number));
    });

  it('logs a row that fails and handles the others', async () => {
    const lines: string[] = [];
    const fail = (number: number): void => {
      if (number === 2) throw new Error('This one fails.');
    };
    expect(await round(rowsUpTo(3), fail, lines)).to.deep.equal([1, 2, 3]);
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({
      job: 'test.round',
      id: '00000002-0000-0000-0000-000000000000',
    });
  });

  it('ends where the database cannot be reached', async () => {
    const seen: number[] = [];
    const fail = (number: number): void => {
      seen.push(number);
      throw new DatabaseUnavailable('No connection.');
    };
    const error: unknown = await round(rowsUpTo(3), fail).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(DatabaseUnavailable);
    expect(seen).to.deep.equal([1]);
  });
});
