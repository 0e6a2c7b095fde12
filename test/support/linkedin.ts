import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { sendJson, startHttpFake, type HttpFake } from './http-fake.js';

/** Sign In with LinkedIn using OpenID Connect, with what it does differently from the standards. */
export interface TestLinkedIn extends HttpFake {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The person who signs in from now on: the claims of ID token and userinfo. */
  person: Record<string, unknown>;
  /** Claims that only the ID token has, such as a nonce. */
  only: (asked: URLSearchParams) => Record<string, unknown>;
  /** The query of the last authorization request. */
  asked: URLSearchParams;
}

/**
 * Written from LinkedIn’s documentation and from reports of other libraries, without svc’s code: its document lists no
 * authentication methods and no PKCE; the token endpoint refuses a secret in the header and a code_verifier; ID tokens
 * have no nonce; `email_verified` is a text, `locale` an object, `scope` separated by commas.
 */
export async function startLinkedIn(): Promise<TestLinkedIn> {
  const kid = 'd929668a-bab1-4c69-9598-4373149723ff';
  const signing = await generateKeyPair('RS256', { extractable: true });
  const codes = new Map<string, URLSearchParams>();
  const tokens = new Set<string>();

  const fake = await startHttpFake(async ({ method, path, query, form, headers }, response) => {
    if (path === '/.well-known/openid-configuration')
      sendJson(response, {
        issuer: linkedin.url,
        authorization_endpoint: `${linkedin.url}/v2/authorization`,
        token_endpoint: `${linkedin.url}/v2/accessToken`,
        userinfo_endpoint: `${linkedin.url}/v2/userinfo`,
        jwks_uri: `${linkedin.url}/openid/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['pairwise'],
        id_token_signing_alg_values_supported: ['RS256'],
        scopes_supported: ['openid', 'profile', 'email'],
      });
    else if (path === '/openid/jwks')
      sendJson(response, { keys: [{ ...(await exportJWK(signing.publicKey)), kid, use: 'sig', alg: 'RS256' }] });
    else if (path === '/v2/authorization') {
      linkedin.asked = query;
      const code = randomUUID();
      codes.set(code, query);
      const back = new URL(query.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
    } else if (method === 'POST' && path === '/v2/accessToken') await answerToken(form, headers.authorization);
    else if (path === '/v2/userinfo' && tokens.has((headers.authorization ?? '').replace('Bearer ', '')))
      sendJson(response, linkedin.person);
    else sendJson(response, {}, 404);

    async function answerToken(fields: URLSearchParams, header: string | undefined): Promise<void> {
      const asked = codes.get(fields.get('code') ?? '');
      codes.delete(fields.get('code') ?? '');
      const isClient =
        fields.get('client_id') === linkedin.clientId && fields.get('client_secret') === linkedin.clientSecret;
      if (!isClient || header !== undefined || fields.has('code_verifier')) {
        const error_description = 'Client authentication failed';
        sendJson(response, { error: 'invalid_client', error_description }, 401);
        return;
      }
      if (asked?.get('redirect_uri') !== fields.get('redirect_uri')) {
        sendJson(response, { error: 'invalid_request', error_description: 'Unable to retrieve access token' }, 400);
        return;
      }
      const idToken = await new SignJWT({ ...linkedin.person, ...linkedin.only(asked) })
        .setProtectedHeader({ alg: 'RS256', kid })
        .setIssuer(linkedin.url)
        .setAudience(linkedin.clientId)
        .setIssuedAt()
        .setExpirationTime('1 hour')
        .sign(signing.privateKey);
      const accessToken = randomUUID();
      tokens.add(accessToken);
      sendJson(response, {
        access_token: accessToken,
        expires_in: 5_184_000,
        scope: 'email,openid,profile',
        token_type: 'Bearer',
        id_token: idToken,
      });
    }
  });

  const linkedin: TestLinkedIn = {
    ...fake,
    clientId: '77s6k2abcdefgh',
    clientSecret: 'WPL_AP1.secret.of==',
    person: {},
    only: () => ({}),
    asked: new URLSearchParams(),
  };
  return linkedin;
}
