/** Claims that access tokens already contain, or that change how they are verified (RFC 7519 section 4.1). */
const reservedClaims = new Set([
  'iss',
  'sub',
  'aud',
  'sid',
  'fam',
  'iat',
  'exp',
  'nbf',
  'jti',
  'auth_time',
  'amr',
  'mfa',
  'act',
  'org_id',
  'org_role',
]);

/** The largest number of claims in an environment. Every access token contains all of them. */
export const maxClaims = 50;

/** A plain name, or a name under your own address: `https://example.com/role`. */
const claimName = /^[A-Za-z][A-Za-z0-9_.:/-]{0,199}$/;

/** Why a claim cannot be set, as the end of “The field … ”; null if it can. */
export function claimProblem(name: string): string | null {
  if (reservedClaims.has(name)) return 'is a claim that svc sets itself; choose another name';
  return claimName.test(name) ? null : 'must begin with a letter and consist of letters, digits and _ . : / -';
}

/**
 * The claims that an environment takes from a user's `metadata`. Keys that the metadata does not have are omitted.
 * @param claims by claim, the key of `metadata` that provides its value
 */
export const claimsFrom = (
  claims: Readonly<Record<string, string>>,
  metadata: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(claims).flatMap(([claim, key]) =>
      claimProblem(claim) === null && Object.hasOwn(metadata, key) ? [[claim, metadata[key]]] : [],
    ),
  );
