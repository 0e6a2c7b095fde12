import type { Deployment } from '#core/kernel/deployment.js';
import { makeError, SvcError } from '#core/kernel/errors/errors.js';
import type { Page, PageAnswer, PageRequest } from '#core/kernel/page.js';
import type { Services } from '#core/kernel/services.js';
import { seeOther } from '#core/surfaces/pages/see-other.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { errors } from '../errors.js';
import { problemView } from './parts.js';
import { problemOf } from './problem.js';
import { visitOf } from './visit.js';
import type { OAuthStateRow } from '../tables/oauth-state.js';
import { hostedPages } from '../settings/redirects.js';
import { findState } from '../oauth/states.js';
import { isClaims, textClaim } from '../providers/claims.js';

/**
 * The parameters of a provider's authorization response (RFC 6749 section 4.1.2, RFC 9207), with the longest value that
 * is passed on.
 */
const passedOn = { code: 4_096, iss: 2_048, error: 200, error_description: 1_000 } as const;

const start = 'auth.oauth.start';

/**
 * The address to which providers send browsers back: the redirect URI to register with the provider. It passes the
 * provider's response to the redirectTo that the sign-in was started with, whose page calls auth.oauth.complete. If the
 * hosted sign-in page started the sign-in, it makes this call itself.
 */
export const oauthCallbackPage: Page = {
  path: '/auth/{environmentId}/callback/{provider}',
  methods: ['GET', 'POST'],
  // Apple posts its answer from its own site, without svc’s cookies. The state in it is the credential.
  acceptsCrossSitePosts: true,
  async answer(page, services) {
    const said = page.method === 'POST' ? page.form : page.query;
    const state = said.get('state') ?? '';
    const row = await readState(page, services, state);
    // With GET, the browser sends svc’s cookies again, which it omits in a post from another site. Reloading the page
    // posts nothing.
    const again = `${page.path}?${answerOf(said, state).toString()}`;
    if (row instanceof SvcError) return page.method === 'POST' ? seeOther(again) : refusedCallback(page, services, row);
    if (page.method === 'POST') {
      const user = postedUser(page.form.get('user'));
      if (user)
        await services.database.run(
          'UPDATE auth_oauth_state SET provider_user = ? WHERE state_digest = ? AND provider_user IS NULL AND used_at IS NULL',
          [JSON.stringify(user), sha256(state)],
        );
      return seeOther(again);
    }
    const target = new URL(row.hosted ? hostedCompletion(services.deployment, row.environmentId) : row.redirectTo);
    answerOf(said, state).forEach((value, name) => target.searchParams.set(name, value));
    return seeOther(target.href);
  },
};

/** The screen of the hosted sign-in page that completes a provider's sign-in. */
const hostedCompletion = (deployment: Deployment, environmentId: string): string =>
  `${hostedPages(deployment, environmentId)}signin?step=provider`;

/** @returns the started sign-in; state_mismatch for a state that is not known here; challenge_expired */
async function readState(
  { params }: PageRequest,
  services: Services,
  state: string,
): Promise<OAuthStateRow | SvcError> {
  const row = await findState(services.database, state);
  if (!row || row.environmentId !== params['environmentId'] || row.provider !== params['provider'])
    return problem('state_mismatch');
  return row.expiresAt <= services.clock.now() ? problem('challenge_expired') : row;
}

/**
 * Tells the person, who cannot call operations, why the sign-in does not continue. @throws not_found for an unknown
 * environment
 */
async function refusedCallback(page: PageRequest, services: Services, refusal: SvcError): Promise<PageAnswer> {
  const visit = await visitOf(page, services);
  return problemView(visit, visit.texts.signin.title, problemOf(visit, refusal));
}

const problem = (code: 'state_mismatch' | 'challenge_expired'): SvcError => makeError(code, errors[code], { start });

/** Only the provider’s answer: other parameters of the address are not passed on. */
function answerOf(said: URLSearchParams, state: string): URLSearchParams {
  const answer = new URLSearchParams({ state });
  for (const [name, maxLength] of Object.entries(passedOn)) {
    const value = said.get(name);
    if (value !== null) answer.set(name, value.slice(0, maxLength));
  }
  return answer;
}

const maxLength = 4_096;

/**
 * What Apple posts about the user with the code, once, at their first sign-in. Anyone who knows the state could have
 * posted it, so only the name is read. The address is taken from the signed ID token.
 * @param text the form’s field `user`, JSON
 * @returns the name, or null if there is none
 */
function postedUser(text: string | null): { name: Record<string, string> } | null {
  if (text === null || text.length > maxLength) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    const name: unknown = isClaims(parsed) ? parsed['name'] : undefined;
    if (!isClaims(name)) return null;
    const parts = ['firstName', 'lastName'].flatMap((field) => {
      const value = textClaim(name, field, 100);
      return value === null ? [] : [[field, value] as const];
    });
    return parts.length > 0 ? { name: Object.fromEntries(parts) } : null;
  } catch {
    return null;
  }
}
