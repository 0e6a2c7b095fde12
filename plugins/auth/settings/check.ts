import { domainToASCII } from 'node:url';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { knownProviders } from '../providers/providers.js';
import { claimProblem } from './claims.js';
import { redirectProblem } from './redirects.js';
import { builtInMethods, type SettingsPatch } from './resources.js';

const domainName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** @returns the domain in ASCII and lower case */
function domain(field: string, text: string): string {
  const ascii = domainToASCII(text);
  if (!domainName.test(ascii)) throw invalidField(field, 'must be a domain name such as example.com');
  return ascii;
}

const domains = (field: string, list: readonly string[]): string[] => [
  ...new Set(list.map((each, index) => domain(`${field}.${index}`, each))),
];

/**
 * Checks what a schema cannot express about changed settings, and normalizes domains.
 * @param providers the names of the configured providers
 * @throws invalid_input
 */
export function checkSettings(patch: SettingsPatch, providers: readonly string[]): SettingsPatch {
  const { signup, methods, redirectUrls, claims, passkeys } = patch;
  const known = [...builtInMethods, ...knownProviders.keys(), ...providers];
  for (const name of Object.keys(methods ?? {}))
    if (!known.includes(name))
      throw invalidField(`methods.${name}`, 'is neither a sign-in method nor a configured provider');
  redirectUrls?.forEach((each, index) => {
    const problem = redirectProblem(each);
    if (problem !== null) throw invalidField(`redirectUrls.${index}`, problem);
  });
  for (const [name, key] of Object.entries(claims ?? {})) {
    const problem = key === null ? null : claimProblem(name);
    if (problem !== null) throw invalidField(`claims.${name}`, problem);
  }
  const { rpId } = passkeys ?? {};
  const { allowedDomains, blockedDomains } = signup ?? {};
  return {
    ...patch,
    ...(signup && {
      signup: {
        ...signup,
        ...(allowedDomains && { allowedDomains: domains('signup.allowedDomains', allowedDomains) }),
        ...(blockedDomains && { blockedDomains: domains('signup.blockedDomains', blockedDomains) }),
      },
    }),
    ...(rpId !== undefined && { passkeys: { rpId: rpId === '' ? '' : domain('passkeys.rpId', rpId) } }),
  };
}
