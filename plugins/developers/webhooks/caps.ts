import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { webhooks } from '../tables/webhook.js';

/** The largest number of enabled endpoints in an environment. */
export const maxEnabled = 50;
/** The largest number of endpoints in an environment. */
export const maxEndpoints = 10 * maxEnabled;

type Fail = ErrorMakers<'limit_reached', SvcError>;

/** Call this with the environment locked. @throws limit_reached if no more endpoints can be enabled */
export async function requireRoomForEnabled(db: Session, environmentId: string, fail: Fail): Promise<void> {
  if ((await db.count(webhooks, { environmentId, status: 'enabled' })) < maxEnabled) return;
  throw fail.limit_reached({
    limit: maxEnabled,
    things: 'enabled webhook endpoints in this environment',
    nextStep:
      'Disable an endpoint that is no longer needed with developers.webhook.disable (developers.webhook.list lists them).',
  });
}

/** Call this with the environment locked. @throws limit_reached if no more endpoints can be created */
export async function requireRoomForNew(db: Session, environmentId: string, fail: Fail): Promise<void> {
  await requireRoomForEnabled(db, environmentId, fail);
  if ((await db.count(webhooks, { environmentId })) < maxEndpoints) return;
  throw fail.limit_reached({
    limit: maxEndpoints,
    things: 'webhook endpoints in this environment, including disabled ones',
    nextStep:
      'Update a disabled endpoint with developers.webhook.update and enable it with developers.webhook.enable (developers.webhook.list lists them).',
  });
}
