import type { Context } from '#core/kernel/context.js';
import { shift } from '#core/runtime/clock.js';
import { idBytes } from '#core/runtime/id.js';
import type { SessionRow } from '../tables/session.js';
import { sessions } from '../tables/session.js';
import { clientFacts } from './device.js';
import type { SessionToIssue } from './read.js';

/**
 * Moves a locked session to its next generation: the refresh tokens before it are spent. The session's lifetime starts
 * again, and it shows the client's current device and location.
 */
export async function rotateSession(
  { db, clock, caller, deployment }: Pick<Context, 'db' | 'clock' | 'caller' | 'deployment'>,
  { session, settings, orgRole }: SessionToIssue,
): Promise<SessionRow> {
  const now = clock.now();
  const facts = {
    ...clientFacts(deployment, caller.request),
    generation: session.generation + 1,
    // A user who is no longer a member has no active organization either.
    organizationId: orgRole === null ? null : session.organizationId,
    lastUsedAt: now,
    expiresAt: shift(now, settings.refreshTokenSeconds * 1000),
  };
  await db.defer(sessions.updateRow({ id: session.id, generation: session.generation }, facts));
  return { ...session, ...facts };
}

/** Locks a session until the transaction ends. All calls that refresh or end it at the same time wait. */
export const lockSession = async ({ db }: Pick<Context, 'db'>, sessionId: string): Promise<void> => {
  await db.rows('SELECT id FROM auth_session WHERE id = ? FOR UPDATE', [idBytes(sessionId)]);
};
