import { noteSkipped } from './products.js';

/*
 * A run on Vitess (SVC_TEST_DATABASE_URL) skips what tests the server itself, or needs what vtgate does not have: KILL,
 * SET GLOBAL, users, counters of the server. The summary of the run states what the skipped tests need.
 */

const onVitess = process.env['SVC_TEST_VITESS'] === '1';

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

/** `it` for a case that is skipped on Vitess: `itOnPlainServer('KILL')('a killed connection is lost', …)`. */
export const itOnPlainServer =
  (what: string) =>
  (title: string, test: Mocha.AsyncFunc): void => {
    it(
      title,
      onVitess
        ? function () {
            noteSkipped('case', this.test?.file ?? '', [what]);
            this.skip();
          }
        : test,
    );
  };
