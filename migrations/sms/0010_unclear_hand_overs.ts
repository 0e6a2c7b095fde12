/**
 * `unclear_at`: when the text was last handed over without a clear answer, so that the provider may have it. See
 * plugins/sms/delivery/hand-over-again.ts.
 */
export const up: readonly string[] = ['ALTER TABLE sms_message ADD COLUMN unclear_at DATETIME(3) NULL'];
