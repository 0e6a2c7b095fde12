import { noteSkipped } from './products.js';

/*
 * A run on Vitess (SVC_TEST_DATABASE_URL) skips what tests the server itself, or needs what vtgate does not have: KILL,
 * SET GLOBAL, users, counters of the server. The summary of the run states what the skipped tests need.
 */

/** Whether the tests run on Vitess. */
export const onVitess = process.env['SVC_TEST_VITESS'] === '1';

/**
 * Skips the suite on Vitess. Call it inside `describe`, before its hooks.
 * @param what the suite needs, in words that complete “they need …”
 */
export function needPlainServer(what: string): void {
  if (!onVitess) return;
  before(function () {
    noteSkipped('suite', this.test?.file ?? '', [what]);
    this.skip();
  });
}

/**
 * Skips the case on Vitess: the first line of `it('…', async function () {…})`.
 * @param what the case needs, in words that complete “it needs …”
 */
export function skipOnVitess(test: Mocha.Context, what: string): void {
  if (!onVitess) return;
  noteSkipped('case', test.test?.file ?? '', [what]);
  test.skip();
}
