import { formats } from '#core/kernel/schema/formats.js';
import { isClaims, subjectOf, textClaim } from './claims.js';
import { callProvider, type Outbound } from './outbound.js';
import { ProviderProblem } from './provider-problem.js';
import type { Claims, OAuthProvider, Profile } from './provider.js';

const own = 'https://github.com';

/** GitHub Enterprise Cloud with data residency: octo.ghe.com. Its API is at api.octo.ghe.com, without a path. */
const residency = /^https:\/\/(?:api\.)?([a-z0-9-]+\.ghe\.com)$/;

/** The address of GitHub that an app of sign-in names; that of its API stands for it too. */
function webOf(server: string | null): string {
  const at = (server ?? own).replace(/\/$/, '').toLowerCase();
  const resident = residency.exec(at)?.[1];
  if (resident !== undefined) return `https://${resident}`;
  return ['https://www.github.com', 'https://api.github.com'].includes(at) ? own : (server ?? own).replace(/\/$/, '');
}

/**
 * Where the API of a GitHub is: of github.com and of Enterprise Cloud with data residency on a separate host, of
 * Enterprise Server on the same host (docs.github.com/rest, Getting started; docs.github.com/enterprise-cloud@latest,
 * Network details for GHE.com).
 */
export function apiOf(server: string | null): string {
  const web = webOf(server);
  const resident = residency.exec(web.toLowerCase())?.[1];
  if (resident !== undefined) return `https://api.${resident}`;
  return web.toLowerCase() === own ? 'https://api.github.com' : `${web}/api/v3`;
}

/** The answer's JSON, and whether there is a next page (docs.github.com/rest, Using pagination). */
interface Page {
  readonly value: unknown;
  readonly hasNext: boolean;
}

async function read(outbound: Outbound, url: string, accessToken: string): Promise<Page> {
  const { status, body, headers } = await callProvider(outbound, {
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
    const value: unknown = JSON.parse(body.toString('utf8'));
    return { value, hasNext: /\brel="?next\b/.test((headers['link'] ?? '').slice(0, 4_000)) };
  } catch {
    throw new ProviderProblem('failed', 'its API response is not valid JSON');
  }
}

const addressesPerPage = 100;
const maxPages = 10;

/** The account’s primary address, verified or not. GitHub lists 30 addresses a page, or as many as it is asked for. */
async function readPrimary(outbound: Outbound, api: string, accessToken: string): Promise<Claims | undefined> {
  for (let page = 1; page <= maxPages; page += 1) {
    const paging = `per_page=${addressesPerPage}${page === 1 ? '' : `&page=${page}`}`;
    const { value, hasNext } = await read(outbound, `${api}/user/emails?${paging}`, accessToken);
    const primary = Array.isArray(value)
      ? value.filter(isClaims).find((address) => address['primary'] === true)
      : undefined;
    if (primary || !hasNext) return primary;
  }
  return undefined;
}

async function profile(
  outbound: Outbound,
  server: string | null,
  { access_token: accessToken }: { access_token: string },
): Promise<Profile> {
  const api = apiOf(server);
  const [{ value: user }, primary] = await Promise.all([
    read(outbound, `${api}/user`, accessToken),
    readPrimary(outbound, api, accessToken),
  ]);
  if (!isClaims(user)) throw new ProviderProblem('failed', 'its API response does not contain an account');
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
    const at = webOf(server);
    return { issuer: at, authorize: `${at}/login/oauth/authorize`, token: `${at}/login/oauth/access_token` };
  },
  profile,
};
