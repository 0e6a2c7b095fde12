import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { signedIn } from '#test/auth/support.js';
import { itNeeding } from '#test/support/products.js';
import type { Line } from '../support.js';
import type { Suite } from './suite.js';

/** Access tokens, checked offline. */
export function tokenCases(suite: Suite): void {
  const { platform, script, account, carryOut } = suite;
  describe('verifies access tokens', () => {
    const environmentId = '01890a5d-ac96-774b-bcce-b302099a8057';
    const now = 1_700_000_000;
    const pairs = {
      ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
      EdDSA: generateKeyPairSync('ed25519'),
    };
    const jwkOf = (kid: string, alg: string, key: KeyObject): object => ({
      ...key.export({ format: 'jwk' }),
      kid,
      alg,
    });
    const publishes =
      (...keysOf: object[]): Line =>
      (_, response) =>
        void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: keysOf }));
    const published = Object.entries(pairs).map(([alg, { publicKey }]) => jwkOf(alg, alg, publicKey));
    const tokenOf = (
      alg: keyof typeof pairs,
      {
        kid = alg,
        key = pairs[alg].privateKey,
        ...claims
      }: { kid?: string; key?: KeyObject; aud?: string; iss?: string; exp?: number } = {},
      typ = 'JWT',
    ): Promise<string> =>
      new SignJWT({
        iss: script.address,
        aud: environmentId,
        sub: 'ada',
        sid: 's',
        iat: now,
        exp: now + 900,
        ...claims,
      })
        .setProtectedHeader({ alg, kid, typ })
        .sign(key);
    const verify = async (...checks: readonly { token: string; at?: number }[]): Promise<unknown> => {
      const given = checks.map(({ token, at: seconds = now }) => ({ token, nowMs: seconds * 1000 }));
      return (await carryOut({ do: 'tokens', baseUrl: script.address, environmentId, checks: given }))['checks'];
    };

    it('of every algorithm, with keys that it fetches once', async () => {
      script.plays(publishes(...published, { kid: 'later', alg: 'ML-DSA-44', kty: 'AKP' }));
      const tokens = [await tokenOf('ES256'), await tokenOf('RS256'), await tokenOf('EdDSA')];
      expect(await verify(...tokens.map((token) => ({ token })))).to.deep.equal(tokens.map(() => ({ sub: 'ada' })));
      expect(script.arrived.map(({ path }) => path)).to.deep.equal([`/auth/jwks/${environmentId}`]);
    });

    it('and refuses all that are not valid now, here and for this environment', async () => {
      script.plays(publishes(...published));
      const good = await tokenOf('ES256');
      const [head = '', body = '', signature = ''] = good.split('.');
      const none = Buffer.from(JSON.stringify({ alg: 'none', kid: 'ES256', typ: 'JWT' })).toString('base64url');
      const forged = Buffer.from(JSON.stringify({ sub: 'eve' })).toString('base64url');
      const refused: readonly (readonly [string, string, number?])[] = [
        ['expired', good, now + 906],
        ['wrong_audience', await tokenOf('ES256', { aud: 'another' })],
        ['wrong_issuer', await tokenOf('ES256', { iss: 'https://other.example' })],
        ['unknown_key', await tokenOf('ES256', { kid: 'unknown' })],
        ['wrong_signature', await tokenOf('EdDSA', { kid: 'ES256' })],
        ['wrong_signature', `${head}.${forged}.${signature}`],
        ['wrong_signature', `${none}.${body}.`],
        ['malformed', await tokenOf('ES256', {}, 'at+jwt')],
        ['malformed', 'x.y.z'],
        ['malformed', `${good}.x`],
        ['malformed', ''],
      ];
      const outcomes = await verify(
        ...refused.map(([, token, seconds]) => ({ token, ...(seconds && { at: seconds }) })),
      );
      expect(outcomes).to.deep.equal(refused.map(([rejected]) => ({ rejected })));
      expect(await verify({ token: good, at: now + 904 })).to.deep.equal([{ sub: 'ada' }]);
    });

    it('with rotated keys: an unknown one is asked for at most once in 30 seconds', async () => {
      const next = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const renewed = await tokenOf('ES256', { kid: 'next', key: next.privateKey });
      const good = await tokenOf('ES256');
      const both = publishes(...published, jwkOf('next', 'ES256', next.publicKey));
      script.plays(publishes(...published), both);
      expect(
        await verify(
          { token: good },
          { token: renewed, at: now + 10 },
          { token: renewed, at: now + 31 },
          { token: good, at: now + 32 },
        ),
      ).to.deep.equal([{ sub: 'ada' }, { rejected: 'unknown_key' }, { sub: 'ada' }, { sub: 'ada' }]);
      expect(script.arrived).to.have.length(2);
    });

    it('with the keys that it can use: those that are broken or of a kind that it does not know are left out', async () => {
      const { x, ...lacking } = pairs.EdDSA.publicKey.export({ format: 'jwk' });
      const [point, key] = [Buffer.alloc(32, 1).toString('base64url'), Buffer.alloc(31, 1).toString('base64url')];
      script.plays(
        publishes(
          { kid: 'off the curve', alg: 'ES256', kty: 'EC', crv: 'P-256', x: point, y: point },
          { kid: 'another curve', alg: 'EdDSA', kty: 'OKP', crv: 'Ed448', x: x ?? '' },
          { kid: 'too short', alg: 'EdDSA', kty: 'OKP', crv: 'Ed25519', x: key },
          { kid: 'no key', alg: 'EdDSA', ...lacking },
          { kid: 'another kind', alg: 'RS256', ...lacking },
          { kid: 'no text', alg: 'ES256', kty: 'EC', crv: 'P-256', x: '*', y: '*' },
          ...published,
        ),
      );
      const tokens = [await tokenOf('ES256'), await tokenOf('RS256'), await tokenOf('EdDSA')];
      const unknown = await tokenOf('ES256', { kid: 'off the curve' });
      expect(await verify(...tokens.map((token) => ({ token })), { token: unknown })).to.deep.equal([
        ...tokens.map(() => ({ sub: 'ada' })),
        { rejected: 'unknown_key' },
      ]);
    });

    it('with the keys that it knows while the server does not answer, for an hour', async () => {
      const token = await tokenOf('ES256', { exp: now + 36_000 });
      const first = { token, at: now };
      const away: Line = (_, response) => void response.writeHead(503).end();
      script.plays(publishes(...published), away);
      expect(
        await verify(first, { token, at: now + 400 }, { token, at: now + 3_599 }, { token, at: now + 3_598 }),
      ).to.deep.equal([{ sub: 'ada' }, { sub: 'ada' }, { sub: 'ada' }, { sub: 'ada' }]);
      for (const times of [[3_601], [3_599, 3_601], [100_000]]) {
        script.plays(publishes(...published), away);
        const failed = await verify(first, ...times.map((seconds) => ({ token, at: now + seconds }))).catch(String);
        expect(failed, `after ${times.join()} s`).to.match(/\b503\b/);
      }
    });

    itNeeding('auth')('of a running server', async () => {
      const { accessToken, userId } = await signedIn(platform, account().live);
      const checks = [{ token: accessToken, nowMs: platform.clock.now().getTime() }];
      const baseUrl = platform.running.address;
      const outcome = await carryOut({ do: 'tokens', baseUrl, environmentId: account().live.id, checks });
      expect(outcome).to.deep.equal({ checks: [{ sub: userId }] });
    });
  });
}
