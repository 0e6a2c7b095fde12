import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Deployment } from '#core/kernel/deployment.js';
import { isAppScheme } from '#core/surfaces/pages/app-scheme.js';
import type { AuthSettingsValue } from './resources.js';

/**
 * Characters that browsers drop or rewrite before they follow an address, so that they would open a different address
 * than the one that was checked.
 */
const rewritten = /[\p{Cc}\s\\]/u;

/** Whether http is as safe as https, because requests to the address never leave the machine. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);

/** @returns the address, or what is wrong with it as the end of “The field … ” */
function readRedirect(text: string): URL | string {
  if (rewritten.test(text)) return 'must not contain white space, control characters or backslashes';
  if (!URL.canParse(text)) return 'must be an absolute URL';
  const url = new URL(text);
  if (text.includes('#')) return 'must not contain a fragment (#)';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (isAppScheme(url.protocol)) return url;
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url))) return url;
  return 'must start with https://, with http:// on a loopback host, or with an app’s own scheme such as com.example.app:/';
}

/**
 * The origin of an Android app’s passkeys: the SHA-256 of the certificate that signs the app, in base64url. Sign-ins
 * cannot return there, because `readRedirect` does not accept it.
 */
const androidApp = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;

/** Why an address cannot be one of `redirectUrls`, as the end of “The field … ”; null if it can. */
export function redirectProblem(text: string): string | null {
  if (androidApp.test(text)) return null;
  const read = readRedirect(text);
  return typeof read === 'string' ? read : null;
}

const isOrigin = ({ pathname, search, protocol }: URL): boolean =>
  pathname === '/' && search === '' && !isAppScheme(protocol);

/** URL prefix of an environment's hosted pages. */
export const hostedPages = ({ baseUrl }: Pick<Deployment, 'baseUrl'>, environmentId: string): string =>
  `${baseUrl}/auth/${environmentId}/`;

/**
 * Whether a sign-in may return to an address. Both sides are compared after parsing, as browsers do: an entry of
 * `redirectUrls` that is an origin allows every address there, and a longer entry allows only itself. Addresses of apps
 * match as a whole.
 * @param pages the environment's own hosted pages, which need no entry (see `hostedPages`)
 */
export function allowRedirect(
  { redirectUrls }: Pick<AuthSettingsValue, 'redirectUrls'>,
  redirectTo: string,
  pages?: string,
): boolean {
  const target = readRedirect(redirectTo);
  if (typeof target === 'string') return false;
  if (pages !== undefined && target.href.startsWith(pages)) return true;
  return redirectUrls.some((each) => {
    const allowed = readRedirect(each);
    if (typeof allowed === 'string') return false;
    return isOrigin(allowed) ? allowed.origin === target.origin : allowed.href === target.href;
  });
}

/**
 * Checks where a sign-in returns to.
 * @throws redirect_not_allowed
 */
export function requireRedirect(
  { fail, deployment }: Pick<Context<never, 'redirect_not_allowed'>, 'fail' | 'deployment'>,
  environment: Environment,
  settings: AuthSettingsValue,
  redirectTo: string,
): void {
  if (allowRedirect(settings, redirectTo, hostedPages(deployment, environment.id))) return;
  const target = readRedirect(redirectTo);
  const origin = typeof target === 'string' ? 'a URL that can be allowed' : entryFor(target);
  throw fail.redirect_not_allowed({ origin });
}

/** The shortest entry of `redirectUrls` that would allow the address. */
const entryFor = (target: URL): string => (isAppScheme(target.protocol) ? target.href : target.origin);
