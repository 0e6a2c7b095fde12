import { isClaims, textClaim } from '../providers/claims.js';

const maxLength = 4_096;

/**
 * What Apple posts about the user with the code, once, at their first sign-in. Anyone who knows the state could have
 * posted it, so only the name is read. The address is taken from the signed ID token.
 * @param text the form’s field `user`, JSON
 * @returns the name, or null if there is none
 */
export function postedUser(text: string | null): { name: Record<string, string> } | null {
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
