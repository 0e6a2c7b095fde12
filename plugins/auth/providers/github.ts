import { formats } from '#core/kernel/schema/formats.js';
import { isClaims, subjectOf, textClaim } from './claims.js';
import { callProvider, type Outbound } from './outbound.js';
import { ProviderProblem } from './provider-problem.js';
import type { Claims, OAuthProvider, Profile } from './provider.js';

const own = 'https://github.com';

/** GitHub Enterprise Server has its API on the same host. */
const apiOf = (server: string | null): string =>
  server === null ? 'https://api.github.com' : `${server.replace(/\/$/, '')}/api/v3`;

async function read(outbound: Outbound, url: string, accessToken: string): Promise<unknown> {
  const { status, body } = await callProvider(outbound, {
    method: 'GET',
    url,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${accessToken}`,
      'user-agent': 'svc',
      'x-github-api-version': '2022-11-28',
    },
  });
  if (status !== 200) throw new ProviderProblem('failed', `its API returned HTTP status ${status}`);
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return parsed;
  } catch {
    throw new ProviderProblem('failed', 'its API response is not valid JSON');
  }
}

/** The account’s primary address, verified or not. */
function primaryOf(addresses: unknown): Claims | undefined {
  return Array.isArray(addresses)
    ? addresses.filter(isClaims).find((address) => address['primary'] === true)
    : undefined;
}

async function profile(
  outbound: Outbound,
  server: string | null,
  { access_token: accessToken }: { access_token: string },
): Promise<Profile> {
  const api = apiOf(server);
  const [user, addresses] = await Promise.all([
    read(outbound, `${api}/user`, accessToken),
    read(outbound, `${api}/user/emails`, accessToken),
  ]);
  if (!isClaims(user)) throw new ProviderProblem('failed', 'its API response does not contain an account');
  const primary = primaryOf(addresses);
  const email = primary ? textClaim(primary, 'email', 254) : null;
  const picture = textClaim(user, 'avatar_url', 2048);
  return {
    // A login can be renamed and then taken by another person. The number cannot.
    subject: subjectOf(Number.isSafeInteger(user['id']) ? String(user['id']) : undefined),
    email: email !== null && formats['email']?.(email) === true ? email : null,
    emailVerified: primary?.['verified'] === true,
    name: textClaim(user, 'name', 200) ?? textClaim(user, 'login', 200),
    pictureUrl: picture?.startsWith('https://') === true ? picture : null,
    locale: null,
  };
}

/** GitHub uses plain OAuth 2.0 for sign-in: account and verified address come from its API. */
export const github: OAuthProvider = {
  protocol: 'oauth',
  name: 'GitHub',
  scopes: ['read:user', 'user:email'],
  needsSecret: true,
  endpoints(server) {
    const at = server?.replace(/\/$/, '') ?? own;
    return { issuer: at, authorize: `${at}/login/oauth/authorize`, token: `${at}/login/oauth/access_token` };
  },
  profile,
};
