import type { Environment } from '#core/kernel/caller/caller.js';
import type { Context } from '#core/kernel/context.js';
import { idBytes } from '#core/runtime/id.js';
import { sendSecurityNotice } from '../mails/send.js';
import { sessions, type SessionRow } from '../tables/session.js';
import type { UserRow } from '../tables/user.js';

/** How many of the user's latest sessions are compared. */
const compared = 20;

type Device = Pick<SessionRow, 'browser' | 'os' | 'deviceKind'>;

/** A device as it is recognised: without versions, which updates change. */
const familiar = ({ browser, os, deviceKind }: Device): string =>
  [browser?.replace(/ \d+$/, ''), os?.split(' ')[0], deviceKind].join('|');

/**
 * Tells the user by mail when a sign-in comes from a device that none of their latest sessions came from. A first sign-in tells nobody.
 * @param session the one that was just opened
 */
export async function noticeNewDevice(
  context: Context,
  environment: Environment,
  user: UserRow,
  session: SessionRow,
): Promise<void> {
  const rows = await context.db.prepared<object>(
    `SELECT ${sessions.columnList()} FROM auth_session WHERE user_id = ? AND id <> ? AND impersonator_id IS NULL ORDER BY id DESC LIMIT ${compared}`,
    [idBytes(user.id), idBytes(session.id)],
  );
  const known = rows.map((row) => familiar(sessions.decode(row)));
  if (known.length === 0 || known.includes(familiar(session))) return;
  const what = [session.browser, session.os].filter((part) => part !== null).join(', ');
  await sendSecurityNotice(context, environment, user, 'new_device', { what: what === '' ? '?' : what });
}
