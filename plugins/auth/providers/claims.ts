import { formats } from '#core/kernel/schema/formats.js';
import { canonicalLocale } from '#core/kernel/schema/locale.js';
import type { Claims, Profile } from './provider.js';
import { ProviderProblem } from './provider-problem.js';

/** OpenID Connect Core section 2: at most 255 ASCII characters. */
const subjectPattern = /^[\x21-\x7e]{1,255}$/;

export const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A claim that is a text, cut to `maxLength`; null for blank texts and anything else. */
export function textClaim(claims: Claims, name: string, maxLength: number): string | null {
  const value = claims[name];
  if (typeof value !== 'string' || value.trim() === '') return null;
  return Array.from(value.replace(/\p{Cc}+/gu, ' ').trim())
    .slice(0, maxLength)
    .join('');
}

/** Apple and Cognito send booleans as texts. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/**
 * The account’s id.
 * @throws ProviderProblem if it is not an id that OpenID Connect allows
 */
export function subjectOf(subject: unknown): string {
  if (typeof subject === 'string' && subjectPattern.test(subject)) return subject;
  throw new ProviderProblem('failed', 'it did not return an account id of at most 255 visible ASCII characters');
}

/** A user's public profile, from the standard claims (OpenID Connect Core section 5.1). */
export function standardProfile(claims: Claims): Omit<Profile, 'subject' | 'emailVerified'> {
  const email = textClaim(claims, 'email', 254);
  const picture = textClaim(claims, 'picture', 2048);
  return {
    email: email !== null && formats['email']?.(email) === true ? email : null,
    name: textClaim(claims, 'name', 200) ?? fullName(claims),
    pictureUrl: picture !== null && /^https:\/\//.test(picture) && URL.canParse(picture) ? picture : null,
    // Providers send more than tags: `de_DE`, `C`, whole Accept-Language headers.
    locale: canonicalLocale(textClaim(claims, 'locale', 60) ?? localeParts(claims['locale'])),
  };
}

/** CAS, Entra and Keycloak may send the parts of a name only. */
function fullName(claims: Claims): string | null {
  const parts = ['given_name', 'family_name'].flatMap((name) => textClaim(claims, name, 100) ?? []);
  return parts.length === 0 ? null : parts.join(' ');
}

/** LinkedIn sends `{"language": "en", "country": "US"}`. */
const localeParts = (locale: unknown): string =>
  isClaims(locale) ? ['language', 'country'].flatMap((part) => textClaim(locale, part, 20) ?? []).join('-') : '';
