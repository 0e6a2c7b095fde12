import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, importSPKI, jwtVerify, SignJWT } from 'jose';
import { sendJson, startHttpFake, type HttpFake } from './http-fake.js';

/** Sign in with Apple: posts its answer, gives the name once, and takes a JWT as the client secret. */
export interface TestApple extends HttpFake {
  readonly clientId: string;
  /** The clientSecret for auth.oauth.app.set. */
  readonly secret: string;
  /** The person who signs in from now on. */
  person: { sub: string; email: string; email_verified: boolean | string; is_private_email?: boolean };
  /** The name, posted only at the first sign-in. */
  name: { firstName: string; lastName: string } | undefined;
  /** The time that client secrets are validated against. */
  now: () => Date;
  /** The client secrets that were presented. */
  readonly presented: string[];
  /** Opens the sign-in address. @returns the form that the browser posts to the redirect URI */
  authorize(url: string): Promise<{ action: string; fields: URLSearchParams }>;
}

/** Written from Apple’s documentation (“Sign in with Apple REST API”), without svc’s code. */
export async function startApple(): Promise<TestApple> {
  const [teamId, keyId, kid] = ['TEAM123456', 'KEY1234567', 'appleKid'];
  const team = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const teamKey = await importSPKI(team.publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'ES256');
  const signing = await generateKeyPair('RS256', { extractable: true });
  const codes = new Map<string, { nonce: string; challenge: string; redirectUri: string }>();

  const fake = await startHttpFake(async ({ method, path, form }, response) => {
    if (path === '/.well-known/openid-configuration')
      sendJson(response, {
        issuer: apple.url,
        authorization_endpoint: `${apple.url}/auth/authorize`,
        token_endpoint: `${apple.url}/auth/token`,
        jwks_uri: `${apple.url}/auth/keys`,
        response_types_supported: ['code'],
        response_modes_supported: ['query', 'fragment', 'form_post'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256'],
        scopes_supported: ['openid', 'email', 'name'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      });
    else if (path === '/auth/keys')
      sendJson(response, { keys: [{ ...(await exportJWK(signing.publicKey)), kid, use: 'sig', alg: 'RS256' }] });
    else if (method === 'POST' && path === '/auth/token') await answerToken(form);
    else sendJson(response, {}, 404);

    async function answerToken(fields: URLSearchParams): Promise<void> {
      const secret = fields.get('client_secret') ?? '';
      apple.presented.push(secret);
      const started = codes.get(fields.get('code') ?? '');
      codes.delete(fields.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(fields.get('code_verifier') ?? '')
        .digest('base64url');
      try {
        const rules = { issuer: teamId, subject: apple.clientId, audience: apple.url, currentDate: apple.now() };
        const { protectedHeader, payload } = await jwtVerify(secret, teamKey, { ...rules, algorithms: ['ES256'] });
        // At most six months.
        if (protectedHeader.kid !== keyId || (payload.exp ?? 0) - (payload.iat ?? 0) > 15_777_000)
          throw new Error('kid or exp');
      } catch (error) {
        sendJson(response, { error: 'invalid_client', error_description: String(error) }, 400);
        return;
      }
      if (started?.challenge !== challenge || started.redirectUri !== fields.get('redirect_uri')) {
        sendJson(response, { error: 'invalid_grant' }, 400);
        return;
      }
      const { sub, ...claims } = apple.person;
      const idToken = await new SignJWT({ ...claims, nonce: started.nonce, nonce_supported: true })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(apple.url)
        .setAudience(apple.clientId)
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime('10 minutes')
        .sign(signing.privateKey);
      sendJson(response, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 3600, id_token: idToken });
    }
  });

  const apple: TestApple = {
    ...fake,
    clientId: 'com.example.web',
    secret: JSON.stringify({ teamId, keyId, p8: team.privateKey.export({ type: 'pkcs8', format: 'pem' }) }),
    person: {
      sub: '000123.abc.0456',
      email: 'x7k2@privaterelay.example.com',
      email_verified: 'true',
      is_private_email: true,
    },
    name: { firstName: 'Ada', lastName: 'Lovelace' },
    now: () => new Date(),
    presented: [],
    async authorize(url) {
      const { searchParams: query } = new URL(url);
      const scopes = (query.get('scope') ?? '').split(' ');
      if (scopes.includes('name') && query.get('response_mode') !== 'form_post')
        throw new Error('Apple refuses a request for a name without response_mode=form_post.');
      const code = randomUUID();
      const redirectUri = query.get('redirect_uri') ?? '';
      codes.set(code, {
        nonce: query.get('nonce') ?? '',
        challenge: query.get('code_challenge') ?? '',
        redirectUri,
      });
      const fields = new URLSearchParams({ code, state: query.get('state') ?? '' });
      if (apple.name) fields.set('user', JSON.stringify({ name: apple.name, email: apple.person.email }));
      return { action: redirectUri, fields };
    },
  };
  return apple;
}
