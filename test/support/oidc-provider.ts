import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { CompactSign, decodeJwt, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';
import Provider from 'oidc-provider';

/** The person who signs in at the provider: claims in addition to `sub`. */
export interface Person {
  sub: string;
  claims: Record<string, unknown>;
}

type Claims = Record<string, unknown>;
type Path = '/.well-known/openid-configuration' | '/jwks' | '/token' | '/me';

/**
 * An OpenID Connect provider on loopback (oidc-provider) that signs everybody in without prompting, and can be made to
 * misbehave.
 */
export interface TestOidc {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** A client without a secret. */
  readonly publicClientId: string;
  /** The person who signs in from now on. */
  person: Person;
  /** Whether ID tokens contain the address, or only the userinfo endpoint returns it. */
  addressInIdToken: boolean;
  /** Changes the ID tokens’ claims before they are signed. */
  changeIdToken: ((claims: Claims) => Claims) | undefined;
  /** Changes the discovery document. */
  changeDiscovery: ((document: Claims) => Claims) | undefined;
  /** Accepts a code again and returns the same tokens, as a careless provider does. */
  takesCodesAgain: boolean;
  /** Answers instead of the provider. */
  readonly answers: Map<Path, (response: ServerResponse) => void>;
  /** How often each path was requested. */
  readonly asked: Map<string, number>;
  /**
   * A new key signs; the old one is no longer published.
   * @param published whether the new one is
   * @param kid its `kid`; null for none. By default a new one.
   */
  rotateKey(published?: boolean, kid?: string | null): Promise<void>;
  close(): Promise<void>;
}

interface SigningKey {
  privateKey: CryptoKey;
  publicJwk: JWK;
}

const algorithm = 'RS256';

async function newKey(kid: string | null = crypto.randomUUID()): Promise<SigningKey & { privateJwk: JWK }> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const facts = { ...(kid === null ? {} : { kid }), use: 'sig', alg: algorithm };
  return {
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), ...facts },
    privateJwk: { ...(await exportJWK(privateKey)), ...facts },
  };
}

const isClaims = (value: unknown): value is Claims => typeof value === 'object' && value !== null;

/** @returns the provider; close it when the test ends */
export async function startOidcProvider(): Promise<TestOidc> {
  const parts: { answer?: (request: IncomingMessage, response: ServerResponse) => void } = {};
  const server = createServer((request, response) => parts.answer?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;

  const firstKey = await newKey();
  let signing: SigningKey = firstKey;
  let published: JWK[] = [firstKey.publicJwk];
  const people = new Map<string, Person>();

  const oidc: TestOidc = {
    issuer,
    clientId: 'svc-test_client.id',
    clientSecret: 'the-client*secret~of+svc',
    publicClientId: 'svc-public',
    person: { sub: 'ada', claims: { email: 'ada@example.com', email_verified: true, name: 'Ada Lovelace' } },
    addressInIdToken: true,
    changeIdToken: undefined,
    changeDiscovery: undefined,
    takesCodesAgain: false,
    answers: new Map(),
    asked: new Map(),
    async rotateKey(isPublished = true, kid) {
      signing = await newKey(kid);
      published = isPublished ? [signing.publicJwk] : [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const provider = providerAt(issuer, oidc, firstKey.privateJwk, people);
  const sign = (claims: Claims): Promise<string> =>
    new CompactSign(Buffer.from(JSON.stringify(oidc.changeIdToken?.(claims) ?? claims)))
      .setProtectedHeader({
        alg: algorithm,
        ...(signing.publicJwk.kid === undefined ? {} : { kid: signing.publicJwk.kid }),
      })
      .sign(signing.privateKey);
  const changed = async (path: string, body: unknown): Promise<unknown> => {
    if (!isClaims(body)) return body;
    if (path === '/jwks') return { keys: published };
    if (path.startsWith('/.well-known/')) return oidc.changeDiscovery?.(body) ?? body;
    const idToken = body['id_token'];
    return typeof idToken === 'string' ? { ...body, id_token: await sign(decodeJwt(idToken)) } : body;
  };
  let tokens: Promise<unknown> | undefined;
  provider.use(async (context, next) => {
    const answer = async (): Promise<unknown> => {
      await next();
      return changed(context.path, context.body);
    };
    if (context.path === '/token' && oidc.takesCodesAgain) context.body = await (tokens ??= answer());
    else {
      const body = await answer();
      if (body !== context.body) context.body = body;
    }
  });
  const answerProvider = provider.callback();

  parts.answer = (request, response) => {
    const path = new URL(request.url ?? '/', issuer).pathname;
    oidc.asked.set(path, (oidc.asked.get(path) ?? 0) + 1);
    const own = [...oidc.answers].find(([each]) => each === path)?.[1];
    if (own) own(response);
    else if (path.startsWith('/interaction/')) void signIn(provider, oidc.person, people, request, response);
    else void answerProvider(request, response);
  };
  return oidc;
}

function providerAt(issuer: string, oidc: TestOidc, key: JWK, people: ReadonlyMap<string, Person>): Provider {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: oidc.clientId,
        client_secret: oidc.clientSecret,
        redirect_uris: ['https://svc.example.com/callback'],
        token_endpoint_auth_method: 'client_secret_post',
      },
      {
        client_id: oidc.publicClientId,
        redirect_uris: ['https://svc.example.com/callback'],
        token_endpoint_auth_method: 'none',
      },
    ],
    jwks: { keys: [{ ...key, kty: 'RSA' }] },
    cookies: { keys: ['cookies of a test'] },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture', 'locale', 'tid', 'xms_edov'],
    },
    // ID tokens contain the claims of the scopes, as those of Google, Microsoft and GitLab do.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Grant: 600, Session: 600 },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: (use) => ({
        sub: id,
        ...(use === 'id_token' && !oidc.addressInIdToken ? {} : people.get(id)?.claims),
      }),
    }),
  });
  // The callback's address contains the environment's id, which the test learns later.
  provider.Client.prototype.redirectUriAllowed = () => true;
  return provider;
}

/** Signs the person in and consents, without a page. */
async function signIn(
  provider: Provider,
  person: Person,
  people: Map<string, Person>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  people.set(person.sub, person);
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: person.sub, clientId: String(params['client_id']) });
  grant.addOIDCScope('openid email profile');
  await provider.interactionFinished(
    request,
    response,
    { login: { accountId: person.sub }, consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: false },
  );
}

/**
 * Opens an address like a browser, with cookies, and follows redirects while they stay at the provider.
 * @returns the address outside the provider that the browser is sent to
 */
export async function visitProvider(url: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(url);
  let at = new URL(url);
  for (let step = 0; step < 10; step += 1) {
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = answer.headers.get('location');
    if (location === null)
      throw new Error(`The provider answered ${answer.status} at ${at.href}: ${await answer.text()}`);
    at = new URL(location, at);
    if (at.origin !== origin) return at;
  }
  throw new Error('The provider redirects without end.');
}
