import { AsyncLocalStorage } from 'node:async_hooks';
import type Provider from 'oidc-provider';
import type { Visitor } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { readSession } from '../sessions/read.js';
import { presentSession } from '../sessions/resources.js';

/** What an app is given access to. */
interface AppGrant {
  visitor: Visitor;
  userId: string;
  appId: string;
  appName: string;
  sessionId: string;
  scopes: readonly string[];
  /** No grant was found. Of two requests that find none at the same time, the one that stores the grant records it. */
  isNew: boolean;
}

/** The library stores a grant through its adapter, which gets only the payload. */
const saving = new AsyncLocalStorage<AppGrant>();

/** The grant that is being stored, for the adapter. */
export const savedGrant = (): AppGrant | undefined => saving.getStore();

/** Stores a grant, with its audit record and event in the same transaction. @returns its id */
export const saveGrant = (grant: InstanceType<Provider['Grant']>, facts: AppGrant): Promise<string> =>
  saving.run(facts, () => grant.save());

/** Writes the audit record and the event of a user who gives an app access in a session, or more of it. */
export async function recordGrant(
  { db, audit, emit, actIn }: Context<'auth.session.exchanged'>,
  { visitor, userId, appId, appName, sessionId, scopes }: AppGrant,
): Promise<void> {
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
}
