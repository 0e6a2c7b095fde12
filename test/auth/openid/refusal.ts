import * as client from 'openid-client';

/** The OAuth error code that a relying party gets; null if it gets none. */
export async function codeOf(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof client.ResponseBodyError) return error.error;
    if (error instanceof client.WWWAuthenticateChallengeError) return error.cause[0]?.parameters.error ?? '';
    throw error;
  }
}
