import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import { randomToken, sha256 } from '#core/runtime/secrets/digest.js';
import { handoffs } from '../tables/handoff.js';
import type { SessionRow } from '../tables/session.js';

/** How long a handoff code can be exchanged (docs/interface.md, Limits). */
export const handoffSeconds = 120;

/**
 * Creates a one-time code for a session, for auth.session.exchange.
 * @param redirectTo the address that the browser returns to, with the app's state
 * @param appChallenge the app's PKCE challenge, if it has one
 * @returns `redirectTo` with the code in the query field svc_code
 */
export async function issueHandoff(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  session: SessionRow,
  redirectTo: string,
  appChallenge: string | null = null,
): Promise<string> {
  const now = clock.now();
  const code = `svc_hc_${randomToken(43)}`;
  await db.defer(
    handoffs.insertRows([
      {
        codeDigest: sha256(code),
        environmentId: session.environmentId,
        sessionId: session.id,
        appChallenge,
        createdAt: now,
        expiresAt: shift(now, handoffSeconds * 1000),
        usedAt: null,
      },
    ]),
  );
  const address = new URL(redirectTo);
  address.searchParams.set('svc_code', code);
  return address.href;
}
