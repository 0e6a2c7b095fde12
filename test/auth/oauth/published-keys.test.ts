import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { isRecord } from '#core/runtime/json.js';
import { minutes } from '#test/support/clock.js';
import { sendJson } from '#test/support/http-fake.js';
import type { TestAccount } from '#test/support/platform.js';
import { accountWith, browserOf, useOidc } from './support.js';

describe('Keys that a provider publishes', () => {
  const env = useOidc();
  const weak = {
    ...generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
    use: 'sig',
  };
  type Key = Record<string, unknown>;

  /** Makes the provider publish what is given, with its own keys for some of it. */
  async function publish(keysFor: (own: Key[]) => readonly unknown[]): Promise<TestAccount> {
    const { platform, oidc } = env;
    oidc.answers.clear();
    const answer = await fetch(`${oidc.issuer}/jwks`);
    const own: unknown = await answer.json();
    const keys = isRecord(own) && Array.isArray(own['keys']) ? own['keys'].filter(isRecord) : [];
    const body = { keys: keysFor(keys) };
    oidc.answers.set('/jwks', (response) => sendJson(response, body));
    // Nothing that was read before is used again.
    platform.clock.advance(minutes(11));
    oidc.person = { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true } };
    return accountWith(platform, oidc);
  }
  afterEach(() => env.oidc.answers.clear());

  async function failure(keysFor: (own: Key[]) => readonly unknown[]): Promise<string> {
    const account = await publish(keysFor);
    const { svcTest, keys } = account;
    const arrival = await browserOf(env.platform, account).arrive();
    const refused = await svcTest.refusal('auth.oauth.complete', arrival, { key: keys.test.publishable });
    expect(refused).to.include({ code: 'provider_failed', status: 502 });
    return refused.message;
  }
  const without = (name: string) => (own: Key[]) =>
    own.map((key) => Object.fromEntries(Object.entries(key).filter(([each]) => each !== name)));

  it('are named if the token is signed with one that is too weak or cannot be read', async () => {
    const kid = (own: Key[]): string => String(own[0]?.['kid']);
    expect(await failure((own) => [{ ...weak, kid: kid(own), alg: 'RS256' }])).to.match(
      /its published key “[^”]+” is an RSA key of 1024 bits, and at least 2048 are needed/,
    );
    expect(await failure(without('e'))).to.match(/its published key “[^”]+” has no “e”/);
    expect(await failure((own) => own.map((key) => ({ ...key, n: '!!' })))).to.include('its “n” is not base64url');
    expect(
      await failure((own) => own.map((key) => ({ ...key, kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }))),
    ).to.include('cannot be read');
    expect(await failure((own) => own.map((key) => ({ ...key, kty: 'AKP' })))).to.include(
      'a type that svc does not use',
    );
    expect(await failure(() => [])).to.include('the signature of its ID token could not be verified');
  });

  it('are used beside others that are weak, unknown or broken, for tokens with and without a kid', async () => {
    for (const kid of ['k1', null]) {
      await env.oidc.rotateKey(true, kid);
      const account = await publish((own) => [
        ...[{ ...weak, kid: 'old' }, weak, { kty: 'RSA', n: '!!', e: 'AQAB' }, { kty: 'RSA' }],
        ...[null, 'text', {}, { kty: 'oct', k: 'c2VjcmV0' }, { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA' }],
        ...own,
      ]);
      expect((await browserOf(env.platform, account).signIn()).status, String(kid)).to.equal('complete');
    }
    await env.oidc.rotateKey();
  });
});
