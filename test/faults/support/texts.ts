import type { ConnectedDatabase } from '#core/runtime/database/connect.js';
import { startTwilio, type TestTwilio } from '#test/support/twilio.js';
import type { Stage } from './stage.js';

/**
 * Starts a Twilio for a stage. @returns it, and the settings with which every environment may send texts to German
 * numbers
 */
export async function startTexts(
  stage: Pick<Stage, 'onClose'>,
): Promise<{ twilio: TestTwilio; settings: Readonly<Record<string, string>> }> {
  const twilio = await startTwilio();
  stage.onClose(() => twilio.close());
  return {
    twilio,
    settings: {
      SVC_SMS_URL: twilio.smsUrl,
      SVC_SMS_ALLOWED_COUNTRIES: 'DE',
      SVC_SMS_REGISTRATION: 'not_required',
      SVC_SMS_FROM: '+12125550100',
    },
  };
}

/**
 * Ends the half minute in which Twilio may not yet know a text that it accepted, and the waits before more attempts.
 * Nodes use the machine's clock, which no test can move. Row by row and by the primary key, for the reason given at
 * endLeases.
 */
export async function endWaits(db: ConnectedDatabase): Promise<void> {
  const waiting = await db.rows<{ id: Buffer }>(
    'SELECT id FROM sms_message WHERE unclear_at > UTC_TIMESTAMP(3) - INTERVAL 30 SECOND',
  );
  for (const { id } of waiting)
    await db.run('UPDATE sms_message SET unclear_at = unclear_at - INTERVAL 31 SECOND WHERE id = ?', [id]);
  for (const queue of ['sms_queue', 'sms_broadcast_queue'] as const) {
    const later = await db.rows<{ id: Buffer }>(
      `SELECT id FROM ${queue} WHERE leased = 0 AND attempts > 0 AND due_at > UTC_TIMESTAMP(3)`,
    );
    for (const { id } of later)
      await db.run(
        `UPDATE ${queue} FORCE INDEX (PRIMARY) SET due_at = UTC_TIMESTAMP(3) WHERE id = ? AND leased = 0 AND attempts > 0`,
        [id],
      );
  }
}
