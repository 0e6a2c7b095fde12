import type { Visitor } from '#core/kernel/caller/caller.js';
import type { WorkerServices } from '#core/kernel/services.js';
import { readSession } from '../sessions/read.js';
import { presentSession } from '../sessions/resources.js';

/** What an app was given access to. */
interface AppGrant {
  userId: string;
  appId: string;
  appName: string;
  sessionId: string;
  scopes: readonly string[];
}

/** Writes the audit record and the event of a user who signs in to an app for the first time in a session. */
export const recordGrant = (services: WorkerServices, visitor: Visitor, grant: AppGrant): Promise<void> =>
  services.transaction(visitor, async ({ db, audit, emit, actIn }) => {
    const { userId, appId, appName, sessionId, scopes } = grant;
    actIn(visitor.environment);
    audit({
      operation: 'auth.session.exchange',
      subject: { type: 'session', id: sessionId },
      summary: `Signed in to ${appName}.`,
      changes: [{ field: 'app', from: null, to: appId }],
      personId: userId,
    });
    const found = await readSession(db, visitor.environment.id, sessionId);
    if (found)
      emit('auth.session.exchanged', {
        subjectId: sessionId,
        personId: userId,
        data: { session: presentSession(found.session), app: { appId, scopes: [...scopes] } },
      });
  });
