import { createTokenVerifier, TokenRejected, type AccessTokenClaims } from 'svc-sdk/session';

const baseUrl = process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080';
const verify = createTokenVerifier({ baseUrl, environmentId: process.env['SVC_ENVIRONMENT_ID'] ?? '' });

/**
 * The user of a request by its headers; null where nobody is signed in.
 * @throws Error where svc's keys cannot be fetched, or SVC_API_URL is not the server's own address
 */
export async function userOf(
  authorization: string | null | undefined,
  cookies: string | null | undefined,
): Promise<AccessTokenClaims | null> {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? /(?:^|; )access=([^;]+)/.exec(cookies ?? '')?.[1];
  if (token === undefined) return null;
  try {
    return await verify(token);
  } catch (error) {
    if (!(error instanceof TokenRejected)) throw error;
    // Signed by this environment, so the token is genuine: with this setting nobody would ever count as signed in.
    if (error.reason === 'wrong_issuer')
      throw new Error(`SVC_API_URL (${baseUrl}) must be the server’s SVC_BASE_URL. ${error.message}`);
    return null; // expired, or no token of this environment: nobody is signed in
  }
}
