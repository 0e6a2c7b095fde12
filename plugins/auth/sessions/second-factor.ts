import type { Session } from '#core/runtime/database/session.js';
import type { SignInMethod } from '../tables/sign-in-methods.js';
import { sessions } from '../tables/session.js';

/**
 * Marks a session as signed in with a second factor, by the method that passed it. Its tokens contain this from the
 * next refresh on.
 */
export async function passSecondFactor(db: Session, sessionId: string, method: SignInMethod): Promise<void> {
  const session = await db.findOne(sessions, { id: sessionId });
  if (!session || session.mfa) return;
  await db.update(sessions, { id: sessionId }, { mfa: true, methods: [...session.methods, method] });
}
