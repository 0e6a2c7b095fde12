import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { devices, type DeviceRow } from '../tables/device.js';
import { typedUserCode } from './codes.js';

/** The minimum interval between a device's requests, in seconds. */
export const pollSeconds = 5;

/** The operation that starts again after expiry. */
export const start = 'auth.device.start';

/**
 * The device that shows a user code.
 * @param locking ' FOR UPDATE' if the caller makes the decision
 * @returns null if no device shows it, or it has expired
 */
export async function findByUserCode(
  db: ReadSession,
  environment: Environment,
  userCode: string,
  now: Date,
  locking: '' | ' FOR UPDATE' = '',
): Promise<DeviceRow | null> {
  const [row] = await db.prepared<object>(
    `SELECT ${devices.columnList()} FROM auth_device WHERE environment_id = ? AND user_code = ?${locking}`,
    [idBytes(environment.id), Buffer.from(typedUserCode(userCode).slice(0, 16))],
  );
  const device = row ? devices.decode(row) : null;
  return device && device.expiresAt > now ? device : null;
}

/** Records the signed-in user's decision about a device. @throws challenge_expired, challenge_used */
export async function decide(
  { db, clock, fail, audit }: Context<never, 'challenge_expired' | 'challenge_used'>,
  environment: Environment,
  { userId, sessionFamilyId }: { userId: string; sessionFamilyId: string },
  { userCode, status }: { userCode: string; status: 'approved' | 'denied' },
): Promise<DeviceRow> {
  const device = await findByUserCode(db, environment, userCode, clock.now(), ' FOR UPDATE');
  if (!device) throw fail.challenge_expired({ start });
  if (device.status !== 'pending') throw fail.challenge_used({ start });
  const decided: DeviceRow = { ...device, status, userId, approvingSessionId: sessionFamilyId };
  await db.update(devices, { id: device.id }, { status, userId, approvingSessionId: sessionFamilyId });
  audit({
    subject: { type: 'device', id: device.id },
    summary: `${status === 'approved' ? 'Approved' : 'Denied'} the device “${device.clientName}”.`,
    changes: [{ field: 'status', from: 'pending', to: status }],
    personId: userId,
  });
  return decided;
}
