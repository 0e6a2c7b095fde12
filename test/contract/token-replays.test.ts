import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

describe('Replays of answers that hold a user’s tokens', () => {
  needProducts('auth');
  const platform = usePlatform();

  /** Callers who present a token or a key of their own each time: a replay gives them nothing that they do not have. */
  const ownCaller = ['auth.user.impersonate', 'auth.org.switch'];

  it('are for lost answers: 30 seconds, for every operation that signs somebody in', () => {
    const withTokens = [...platform.running.registry.operations.values()].filter(
      ({ impact, output, name }) =>
        !impact.read && !ownCaller.includes(name) && JSON.stringify(output).includes('"accessToken"'),
    );
    expect(withTokens.map(({ name }) => name)).to.include.members(['auth.session.refresh', 'auth.signin.verify']);
    expect(withTokens.filter(({ replaySeconds }) => replaySeconds !== 30).map(({ name }) => name)).to.deep.equal([]);
  });
});
