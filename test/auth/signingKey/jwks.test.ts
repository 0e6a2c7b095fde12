import { createHmac, createPublicKey, generateKeyPairSync, sign as signBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { newId } from '#core/runtime/id.js';
import { activeSigner } from '#plugins/auth/signing-keys/active.js';
import { signJwt } from '#plugins/auth/signing-keys/jwt.js';
import { signedIn } from '#test/auth/support.js';
import { minutes } from '#test/support/clock.js';
import { at, isRecord } from '#test/support/json.js';
import { usePlatform, type TestAccount } from '#test/support/platform.js';

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part: string | undefined): Record<string, unknown> => {
  const parsed: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString());
  return isRecord(parsed) ? parsed : {};
};

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

describe('The keys that sign access tokens', () => {
  const platform = usePlatform();
  const setOf = (environmentId: string): URL => new URL(`${platform.running.address}/auth/jwks/${environmentId}`);

  async function keysOf(environmentId: string): Promise<unknown[]> {
    const keys = at(await (await fetch(setOf(environmentId))).json(), 'keys');
    return isList(keys) ? keys : [];
  }

  const verified = (token: string, environmentId: string) =>
    jwtVerify(token, createRemoteJWKSet(setOf(environmentId)), {
      issuer: platform.running.services.deployment.baseUrl,
      audience: environmentId,
      currentDate: platform.clock.now(),
    });

  const reasonOf = async ({ svc }: TestAccount, accessToken: string): Promise<string | null> =>
    (await svc.call('auth.session.verify', { accessToken })).reason;

  for (const algorithm of ['ES256', 'RS256', 'EdDSA'] as const) {
    it(`sign with ${algorithm}, and another library verifies it with the published set`, async () => {
      const { live, svc } = await platform.account();
      const { key } = await svc.call('auth.signingKey.rotate', { algorithm });
      expect(key).to.include({ algorithm, status: 'active', retiresAt: null });
      expect(Object.keys(key.publicJwk)).to.not.include.members(['d']);
      const { accessToken, userId } = await signedIn(platform, live);
      const { payload, protectedHeader } = await verified(accessToken, live.id);
      expect(payload.sub).to.equal(userId);
      expect(payload.iat).to.equal(Math.floor(platform.clock.now().getTime() / 1000));
      expect(protectedHeader).to.deep.equal({ alg: algorithm, typ: 'JWT', kid: key.keyId });
      expect(await svc.call('auth.session.verify', { accessToken })).to.include({ valid: true, reason: null });
    });
  }

  it('are published for everybody, with and without /v1, for five minutes, with an ETag', async () => {
    const { live } = await platform.account();
    const first = await fetch(setOf(live.id), { headers: { Origin: 'https://app.example.com' } });
    expect(first.status).to.equal(200);
    expect(Object.fromEntries(first.headers)).to.include({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      'content-type': 'application/jwk-set+json',
    });
    const text = await first.text();
    expect(text).to.not.match(/"(d|p|q|dp|dq|qi)":/);
    const etag = first.headers.get('etag') ?? '';
    expect((await fetch(setOf(live.id), { headers: { 'If-None-Match': etag } })).status).to.equal(304);
    expect(await (await fetch(`${platform.running.address}/v1/auth/jwks/${live.id}`)).text()).to.equal(text);
    for (const unknown of [newId(), 'none']) {
      const answer = await fetch(setOf(unknown));
      expect(answer.status).to.equal(404);
      expect(at(await answer.json(), 'error', 'code')).to.equal('not_found');
    }
  });

  it('begin with one key, however many calls need the first one at once', async () => {
    const { live, svc } = await platform.account();
    const sets = await Promise.all(Array.from({ length: 8 }, () => keysOf(live.id)));
    expect(new Set(sets.map((keys) => JSON.stringify(keys))).size).to.equal(1);
    const { keys } = await svc.call('auth.signingKey.list', {});
    expect(keys.map(({ status, algorithm }) => ({ status, algorithm }))).to.deep.equal([
      { status: 'active', algorithm: 'ES256' },
    ]);
  });

  it('stay published after a rotation until the last token they signed has expired', async () => {
    const account = await platform.account();
    const { live, svc } = account;
    const { accessToken } = await signedIn(platform, live);
    const { key, previous } = await svc.call('auth.signingKey.rotate', {});
    expect(previous).to.include({ status: 'published', keyId: decodeProtectedHeader(accessToken).kid });
    expect((await keysOf(live.id)).map((each) => at(each, 'kid'))).to.deep.equal([key.keyId, previous.keyId]);
    await verified(accessToken, live.id);
    expect(await reasonOf(account, accessToken)).to.equal(null);
    platform.clock.advance(minutes(5));
    expect(decodeProtectedHeader((await signedIn(platform, live)).accessToken).kid).to.equal(key.keyId);
    platform.clock.advance(minutes(62));
    expect((await keysOf(live.id)).map((each) => at(each, 'kid'))).to.deep.equal([key.keyId]);
    const { keys } = await svc.call('auth.signingKey.list', {});
    expect(keys.map(({ keyId, status }) => [keyId, status])).to.deep.equal([
      [key.keyId, 'active'],
      [previous.keyId, 'retired'],
    ]);
  });

  it('sign only once every set that others may keep has them: the key before signs until then', async () => {
    const { live, svc } = await platform.account();
    const kidOf = async (): Promise<string | undefined> =>
      decodeProtectedHeader((await signedIn(platform, live)).accessToken).kid;
    const first = await kidOf();
    const { key: second } = await svc.call('auth.signingKey.rotate', {});
    expect(second.signsFrom).to.equal(new Date(platform.clock.now().getTime() + minutes(5)).toISOString());
    platform.clock.advance(minutes(4));
    expect(await kidOf()).to.equal(first);
    const { key: third } = await svc.call('auth.signingKey.rotate', {});
    expect(await kidOf()).to.equal(first);
    platform.clock.advance(minutes(1));
    expect(await kidOf()).to.equal(second.keyId);
    platform.clock.advance(minutes(4) - 1);
    const { accessToken } = await signedIn(platform, live);
    expect(decodeProtectedHeader(accessToken).kid).to.equal(second.keyId);
    platform.clock.advance(1);
    expect(await kidOf()).to.equal(third.keyId);
    // The last token of the key before is good until it expires.
    platform.clock.advance(minutes(9));
    await verified(accessToken, live.id);
  });

  it('keep their algorithm when a rotation names none', async () => {
    const { svc } = await platform.account();
    expect((await svc.call('auth.signingKey.rotate', {})).key.algorithm).to.equal('ES256');
    await svc.call('auth.signingKey.rotate', { algorithm: 'RS256' });
    const { key, previous } = await svc.call('auth.signingKey.rotate', {});
    expect([previous.algorithm, key.algorithm]).to.deep.equal(['RS256', 'RS256']);
  });

  it('leave one active key when several rotations come at once', async () => {
    const { live, svc } = await platform.account();
    await signedIn(platform, live);
    await Promise.all(Array.from({ length: 4 }, () => svc.call('auth.signingKey.rotate', {})));
    const { keys } = await svc.call('auth.signingKey.list', {});
    expect(keys.map(({ status }) => status).sort()).to.deep.equal([
      'active',
      'published',
      'published',
      'published',
      'published',
    ]);
  });

  it('count no longer once they are retired, at once; the active one cannot be retired', async () => {
    const account = await platform.account();
    const { live, svc, keys } = account;
    const { accessToken, refreshToken } = await signedIn(platform, live);
    const { key, previous } = await svc.call('auth.signingKey.rotate', { algorithm: 'RS256' });
    const refused = await svc.refusal('auth.signingKey.retire', { keyId: key.keyId });
    expect(refused).to.include({ status: 409, code: 'signing_key_active' });
    const { key: retired } = await svc.call('auth.signingKey.retire', { keyId: previous.keyId });
    expect(retired).to.include({ keyId: previous.keyId, status: 'retired' });
    expect(await svc.call('auth.signingKey.retire', { keyId: previous.keyId })).to.deep.equal({ key: retired });
    expect(await reasonOf(account, accessToken)).to.equal('wrong_signature');
    expect((await keysOf(live.id)).map((each) => at(each, 'kid'))).to.deep.equal([key.keyId]);
    const { tokens } = await svc.call('auth.session.refresh', { refreshToken }, { key: keys.live.publishable });
    expect(await reasonOf(account, tokens.accessToken)).to.equal(null);
    const types = (await platform.events(live)).map(({ type }) => type);
    expect(types.filter((type) => type === 'auth.signing_key.rotated')).to.have.length(1);
    expect(types.filter((type) => type === 'auth.signing_key.retired')).to.have.length(1);
    expect((await svc.refusal('auth.signingKey.retire', { keyId: newId() })).code).to.equal('not_found');
  });

  it('are stored sealed', async () => {
    const { live } = await platform.account();
    await signedIn(platform, live);
    const rows = await platform.running.services.database.rows<{ private_key: Buffer }>(
      'SELECT private_key FROM auth_signing_key WHERE private_key IS NOT NULL',
    );
    // A PKCS #8 document begins with a SEQUENCE (30) and its version, 0 (02 01 00).
    for (const { private_key: sealed } of rows)
      expect(sealed.includes(Buffer.from([0x02, 0x01, 0x00, 0x30])), 'holds a key in the clear').to.equal(false);
  });

  it('are the only ones that count: every other way to make a token is refused', async () => {
    const account = await platform.account();
    const { live, svc, keys } = account;
    const { accessToken } = await signedIn(platform, live);
    const other = await signedIn(platform, (await platform.account()).live);
    const [head, body] = accessToken.split('.');
    const [header, claims] = [decoded(head), decoded(body)];
    const published = at((await keysOf(live.id))[0], 'x');
    const jwk = (await svc.call('auth.signingKey.list', {})).keys[0]?.publicJwk ?? {};
    expect(jwk['x']).to.equal(published);
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const withHmac = (secret: string): string => {
      const text = `${encoded({ ...header, alg: 'HS256' })}.${body ?? ''}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const byStranger = (changes: object): string => {
      const text = `${encoded({ ...header, ...changes })}.${body ?? ''}`;
      const signature = signBytes('sha256', Buffer.from(text), { key: stranger, dsaEncoding: 'ieee-p1363' });
      return `${text}.${signature.toString('base64url')}`;
    };
    const forged: Record<string, [string, string]> = {
      'alg none': [`${encoded({ ...header, alg: 'none' })}.${body ?? ''}.`, 'wrong_signature'],
      'HS256 with the public key as its secret': [withHmac(pem), 'wrong_signature'],
      'HS256 with the JWK as its secret': [withHmac(JSON.stringify(jwk)), 'wrong_signature'],
      'another key under this kid': [byStranger({}), 'wrong_signature'],
      'a key that comes with the token': [byStranger({ jwk }), 'wrong_signature'],
      'another environment’s kid': [
        byStranger({ kid: decodeProtectedHeader(other.accessToken).kid }),
        'wrong_signature',
      ],
      'another type of token': [byStranger({ typ: 'at+jwt' }), 'malformed'],
      'changed claims': [
        `${head ?? ''}.${encoded({ ...claims, mfa: true })}.${accessToken.split('.')[2] ?? ''}`,
        'wrong_signature',
      ],
      'another environment’s token': [other.accessToken, 'wrong_signature'],
      'no token': ['nothing', 'malformed'],
      'a refresh token': [(await signedIn(platform, live)).refreshToken, 'malformed'],
    };
    for (const [way, [token, reason]] of Object.entries(forged)) {
      expect(await reasonOf(account, token), way).to.equal(reason);
      const asUser = await svc.refusal('auth.session.mine', { accessToken: token }, { key: keys.live.publishable });
      expect(asUser.code, way).to.equal('token_invalid');
    }
    expect(await reasonOf(account, accessToken)).to.equal(null);
  });

  it('do not make a token count that names another issuer or audience', async () => {
    const account = await platform.account();
    const { live } = account;
    const signedWith = async (changes: object): Promise<string> => {
      const { accessToken } = await signedIn(platform, live);
      const claims = decoded(accessToken.split('.')[1]);
      return platform.running.services.transaction('Test', async (context) => {
        const signer = await activeSigner(context, live.id);
        return signJwt(signer, { ...claims, ...changes });
      });
    };
    expect(await reasonOf(account, await signedWith({}))).to.equal(null);
    for (const changes of [{ iss: 'https://evil.example' }, { aud: account.test.id }, { aud: undefined }])
      expect(await reasonOf(account, await signedWith(changes))).to.equal('wrong_environment');
    expect(await reasonOf(account, await signedWith({ sub: newId() }))).to.equal('session_ended');
  });
});
