import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { sha256 } from '#core/runtime/secrets/digest.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleTokens, exampleUser } from '../../examples.js';
import { pollSeconds, start } from '../../devices.js';
import { endedForSafety } from '../../sessions/end.js';
import { latestDevices, noticeNewDevice } from '../../sessions/new-device.js';
import { openSession } from '../../sessions/open.js';
import { presentSession, Tokens } from '../../sessions/resources.js';
import { readSession } from '../../sessions/read.js';
import { replaySeconds, issueTokens } from '../../sessions/tokens.js';
import { lockSession } from '../../sessions/refresh-token.js';
import { devices } from '../../tables/device.js';
import { isBanned } from '../../users/ban.js';
import { lockUser } from '../../users/find.js';
import { presentUser, User } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.device.poll',
  summary: 'Checks whether the device has been approved and returns tokens once it has.',
  description:
    'Returns device_pending until the person decides: wait intervalSeconds between calls. The tokens are returned only once. The session ' +
    'has the authentication methods and age of the session that approved it.',
  keywords: 'device authorization grant TV CLI terminal login token',
  access: 'publishable',
  showsSecret: 'stored encrypted',
  replaySeconds,
  input: object({ deviceCode: text('The deviceCode of auth.device.start.', { minLength: 1, maxLength: 200 }) }),
  output: object({ tokens: Tokens, user: User }),
  errors: ['challenge_expired', 'device_denied', 'device_pending', 'user_banned'],
  events: ['auth.device.completed'],
  example: { input: { deviceCode: 'svc_dc_example' }, output: { tokens: exampleTokens, user: exampleUser } },

  async handle({ deviceCode }, context) {
    const { db, caller, clock, fail, refuse, audit, emit } = context;
    const { environment } = caller;
    const now = clock.now();
    const [row] = await db.prepared<object>(
      `SELECT ${devices.columnList()} FROM auth_device WHERE device_digest = ? FOR UPDATE`,
      [sha256(deviceCode)],
    );
    const device = row && devices.decode(row);
    if (device?.environmentId !== environment.id || device.status === 'completed' || device.expiresAt <= now)
      throw fail.challenge_expired({ start });
    if (device.status === 'denied') throw fail.device_denied();
    const waited = device.lastPolledAt === null ? pollSeconds : (now.getTime() - device.lastPolledAt.getTime()) / 1000;
    if (waited < pollSeconds)
      throw fail.rate_limited({
        limit: `one poll per device in ${pollSeconds} seconds`,
        seconds: Math.ceil(pollSeconds - waited),
      });
    const { userId, approvingSessionId } = device;
    if (device.status === 'pending' || userId === null || approvingSessionId === null) {
      await db.update(devices, { id: device.id }, { lastPolledAt: now });
      return refuse.device_pending({ seconds: pollSeconds });
    }
    // In one round trip, in this order: a change that ends the approving session or removes its user is either visible
    // here or waits.
    const [, , approved] = await Promise.all([
      lockUser(db, environment.id, userId),
      lockSession(context, approvingSessionId),
      readSession(db, environment.id, approvingSessionId),
    ]);
    if (!approved) throw fail.device_denied();
    const { user, settings, session: approving } = approved;
    // Check this before the rest: a ban also ends the approving session.
    if (isBanned(user, now)) throw fail.user_banned();
    if (endedForSafety(approving)) throw fail.device_denied();
    const { methods, openedBy, mfa, signedInAt } = approving;
    const known = await latestDevices(db, user.id);
    const session = await openSession(context, environment, { user, settings, methods, openedBy, mfa, signedInAt });
    await db.update(devices, { id: device.id }, { status: 'completed', lastPolledAt: now });
    await db.defer({
      sql: 'UPDATE auth_user SET last_sign_in_at = ? WHERE id = ?',
      parameters: [now, idBytes(user.id)],
    });
    const signedIn = { ...user, lastSignInAt: now };
    await noticeNewDevice(context, environment, signedIn, { session, devices: known });
    const tokens = await issueTokens(context, { ...approved, session, orgRole: null });
    audit({
      subject: { type: 'device', id: device.id },
      summary: `Signed in the device “${device.clientName}”.`,
      changes: [{ field: 'status', from: 'approved', to: 'completed' }],
      personId: user.id,
    });
    const shown = presentSession(session);
    emit('auth.device.completed', { subjectId: session.id, personId: user.id, data: { session: shown } });
    return { tokens, user: presentUser(signedIn, now) };
  },
});
