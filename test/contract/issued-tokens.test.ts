import { expect } from 'chai';
import { usePlatform } from '#test/support/platform.js';
import { needProducts } from '#test/support/products.js';

/**
 * How each operation that returns a user's tokens keeps a weaker credential from becoming a longer or stronger one.
 * `proof` is what the caller presents; `limit` says why the tokens are worth no more than it.
 */
const rules: Readonly<Record<string, { proof: string; limit: string }>> = {
  'auth.device.poll': {
    proof: 'device code',
    limit: 'auth.device.approve takes a recent sign-in and an active factor',
  },
  'auth.link.complete': { proof: 'link from a mail', limit: 'a sign-in' },
  'auth.mfa.recover': { proof: 'first step and recovery code', limit: 'a sign-in' },
  'auth.mfa.verify': { proof: 'first step and second factor', limit: 'a sign-in' },
  'auth.oauth.complete': { proof: 'answer of the provider', limit: 'a sign-in' },
  'auth.org.switch': { proof: 'access token', limit: 'expires no later than the presented token' },
  'auth.passkey.signin.verify': { proof: 'passkey', limit: 'a sign-in' },
  'auth.password.signin': { proof: 'password', limit: 'a sign-in' },
  'auth.session.exchange': { proof: 'handoff code', limit: 'the tokens of the session that made the code' },
  'auth.session.refresh': { proof: 'refresh token', limit: 'the session keeps its end' },
  'auth.signin.verify': { proof: 'code', limit: 'a sign-in' },
  'auth.user.impersonate': {
    proof: 'secret key or member',
    limit: 'the session ends after `seconds`, marked with act',
  },
};

/** Other operations that return a secret: keys, setups and links, and what bounds each. */
const otherSecrets: Readonly<Record<string, string>> = {
  'account.project.create': 'keys that hold no more than the caller',
  'account.signup': 'keys of a new account',
  'audience.preferences.link': 'a link of one contact, from a secret key',
  'auth.device.start': 'codes that do nothing until a recent sign-in approves them',
  'auth.factor.recovery.regenerate': 'takes a recent sign-in and the second factor',
  'auth.factor.totp.activate': 'takes the second factor if one is active; enrolment took a recent sign-in',
  'auth.factor.totp.enroll': 'takes a recent sign-in and the second factor if one is active',
  'auth.oauth.start': 'a state for one sign-in; linking takes a recent sign-in',
  'auth.settings.set': 'secrets of new apps, which redeem codes of sign-ins to that app and open nothing else',
  'developers.key.create': 'a key that holds no more than the caller, and ends with the member who made it',
  'developers.key.rotate': 'the key that holds what it held',
  'developers.webhook.create': 'signs deliveries; opens nothing',
  'developers.webhook.secret.rotate': 'signs deliveries; opens nothing',
};

const holdsTokens = (output: unknown): boolean => /"(?:accessToken|refreshToken)"/.test(JSON.stringify(output));

describe('Operations that return tokens', () => {
  needProducts('auth');
  const platform = usePlatform();

  it('are declared here with the rule that keeps a weaker credential from becoming a stronger one', () => {
    const returning = [...platform.running.registry.operations.values()].filter(({ output }) => holdsTokens(output));
    expect(returning.map(({ name }) => name).sort()).to.deep.equal(Object.keys(rules).sort());
  });

  it('and those that return another secret are declared as well', () => {
    const secret = [...platform.running.registry.operations.values()].filter(
      ({ showsSecret, output }) => showsSecret !== undefined && !holdsTokens(output),
    );
    expect(secret.map(({ name }) => name).sort()).to.deep.equal(Object.keys(otherSecrets).sort());
  });

  it('are never reached by an access token alone, except for one that expires no later', () => {
    const byToken = [...platform.running.registry.operations.values()].filter(
      ({ output, access }) => holdsTokens(output) && access === 'user',
    );
    expect(byToken.map(({ name }) => name)).to.deep.equal(['auth.org.switch']);
  });
});
