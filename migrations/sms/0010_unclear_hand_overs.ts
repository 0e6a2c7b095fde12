/**
 * `unclear_at`: when the text was last submitted without a clear answer, so that the provider may have it. See
 * plugins/sms/delivery/resubmit.ts.
 */
export const up: readonly string[] = ['ALTER TABLE sms_message ADD COLUMN unclear_at DATETIME(3) NULL'];
