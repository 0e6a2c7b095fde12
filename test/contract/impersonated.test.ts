import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('Impersonated sessions', () => {
  needProducts('auth');
  const platform = usePlatform();

  /** What looks around needs: which organization is active changes what is seen, and nothing of the user. */
  const allowed = ['auth.org.switch'];

  it('change nothing: every write of a signed-in user takes the user themself', () => {
    const open = [...platform.running.registry.operations.values()].filter(
      ({ access, impact, needs }) => access === 'user' && !impact.read && needs?.notImpersonated !== true,
    );
    expect(open.map(({ name }) => name)).to.deep.equal(allowed);
  });
});
