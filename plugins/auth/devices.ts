import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { devices, type DeviceRow } from './tables/device.js';
import { randomInt } from 'node:crypto';
import { text } from '#core/kernel/schema/schema.js';
import { typedCode } from '#core/kernel/schema/typed.js';
import { perIp } from '#core/kernel/limits/named-limit.js';

const window = { max: 20, windowSeconds: 600 };

/** auth.device.approve and auth.device.deny share one count, because both reveal whether a user code exists. */
export const decisionLimit = perIp({
  name: 'auth.device.decide',
  ...window,
  description: '20 per IP address in 10 minutes, shared by approve and deny',
});

export const startLimit = perIp({
  name: 'auth.device.start',
  ...window,
  description: '20 per IP address in 10 minutes',
});

export const describeLimit = perIp({
  name: 'auth.device.describe',
  max: 30,
  windowSeconds: 600,
  description: '30 per IP address in 10 minutes',
});

export const userCode = text('The code that the device shows. Case, spaces and hyphens are ignored.', {
  minLength: 1,
  maxLength: 40,
});

/** Only consonants: no two look alike, and they form no words (RFC 8628 section 6.1). 20^8 codes. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A code for people to type, without its hyphen: eight letters. */
export const newUserCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** `BCDF-GHJK` */
export const shownUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;

/** Typed text in the stored form: in capitals, without spaces and hyphens. */
export const typedUserCode = (text: string): string => typedCode(text).toUpperCase();

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
export async function recordDecision(
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
