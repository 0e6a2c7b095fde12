import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * The last text from a number of svc to a number, for each environment, if that text was deleted because of its age. A
 * later STOP or answer can still be matched to its environment (inbound/route.ts).
 */
export const lastTexts = defineTable('sms_last_text', {
  /** E.164, of the recipient. */
  toNumber: primary(exactColumn(20)),
  /** The number that it was sent from; empty for a message without one. */
  fromNumber: primary(exactColumn(20)),
  environmentId: primary(uuidColumn()),
  messageId: uuidColumn(),
});
