import { itNeeding, needProducts } from '#test/support/products.js';
import { usePlatform } from '#test/support/platform.js';

/** What the test beside this file runs with `npm test`'s option --products. */
describe('a suite', () => {
  it('needs nothing', () => undefined);
  itNeeding('audience')('needs audience for one case', () => Promise.resolve());
  itNeeding('email')('needs email for one case', () => Promise.resolve());
});

describe('a suite that needs audience', () => {
  needProducts('audience');
  const platform = usePlatform();
  before(() => {
    throw new Error(`This hook must not run. ${platform.databaseUrl}`);
  });

  it('is skipped', () => {
    throw new Error('This case must not run.');
  });

  describe('with another one inside', () => {
    before(() => {
      throw new Error('This hook must not run.');
    });

    it('is skipped as well', () => {
      throw new Error('This case must not run.');
    });
  });
});
