import type { AccessTokenClaims } from 'svc-sdk/session';
import { userOf } from './user-of.js';

/**
 * Next.js: the user of a route handler's or middleware's request.
 *
 *     export async function GET(request: Request) {
 *       const user = await currentUser(request);
 *       if (!user) return new Response('Sign in first.', { status: 401 });
 *       …
 *     }
 */
export const currentUser = ({ headers }: Pick<Request, 'headers'>): Promise<AccessTokenClaims | null> =>
  userOf(headers.get('authorization'), headers.get('cookie'));
