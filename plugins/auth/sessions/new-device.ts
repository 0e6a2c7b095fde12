import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import type { Translations } from '#core/kernel/language.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import { sendSecurityNotice } from '../mails/send.js';
import type { SessionRow } from '../tables/session.js';
import type { UserRow } from '../tables/user.js';

/** How many of the user's latest sessions are compared. */
const compared = 20;

/** What the mail shows for a device whose browser reveals nothing. */
const unknownDevice: Translations<string> = {
  en: 'unknown device',
  de: 'unbekanntes Gerät',
  fr: 'appareil inconnu',
  es: 'dispositivo desconocido',
  pt: 'dispositivo desconhecido',
};

/** The device that a session came from. */
export type Device = Pick<SessionRow, 'browser' | 'os' | 'deviceKind'>;

/** The form in which a device is recognised: without versions, which updates change. */
const familiar = ({ browser, os, deviceKind }: Device): string =>
  [browser?.replace(/ \d+$/, ''), os?.split(' ')[0], deviceKind].join('|');

interface StoredDevice {
  browser: string | null;
  os: string | null;
  device_kind: Buffer | string | null;
}

/** The devices of the user's latest sessions, except for sessions of people who impersonated the user. */
export async function latestDevices(db: ReadSession, userId: string): Promise<Device[]> {
  const rows = await db.prepared<StoredDevice>(
    `SELECT browser, os, device_kind FROM auth_session WHERE user_id = ? AND impersonator_id IS NULL ORDER BY id DESC LIMIT ${compared}`,
    [idBytes(userId)],
  );
  return rows.map(({ browser, os, device_kind: kind }) => ({ browser, os, deviceKind: kind?.toString() ?? null }));
}

/**
 * Mails the user if a sign-in comes from a device that none of their latest sessions came from. A first sign-in sends
 * no mail.
 * @param opened the session that was just opened, and the result of `latestDevices` before it
 */
export async function noticeNewDevice(
  context: Context,
  environment: Environment,
  user: UserRow,
  { session, devices }: { session: SessionRow; devices: readonly Device[] },
): Promise<void> {
  const known = devices.map(familiar);
  if (known.length === 0 || known.includes(familiar(session))) return;
  const what = [session.browser, session.os].filter((part) => part !== null).join(', ');
  await sendSecurityNotice(context, environment, user, 'new_device', { what: what === '' ? unknownDevice : what });
}
