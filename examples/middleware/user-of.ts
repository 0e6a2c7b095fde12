import { createTokenVerifier, TokenRejected, type AccessTokenClaims } from 'svc-sdk/session';

const verify = createTokenVerifier({
  baseUrl: process.env['SVC_API_URL'] ?? 'http://127.0.0.1:8080',
  environmentId: process.env['SVC_ENVIRONMENT_ID'] ?? '',
});

/** The user of a request by its headers; null where nobody is signed in. @throws Error where svc's keys cannot be fetched */
export async function userOf(
  authorization: string | null | undefined,
  cookies: string | null | undefined,
): Promise<AccessTokenClaims | null> {
  const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? /(?:^|; )access=([^;]+)/.exec(cookies ?? '')?.[1];
  if (token === undefined) return null;
  try {
    return await verify(token);
  } catch (error) {
    if (error instanceof TokenRejected) return null; // expired, or no token of this environment: nobody is signed in
    throw error;
  }
}
