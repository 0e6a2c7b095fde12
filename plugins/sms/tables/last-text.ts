import { exactColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * The last text from a number of svc to a number, of each environment, where that text was deleted because of its age: a later STOP or answer
 * still finds whose it is (inbound/route.ts).
 */
export const lastTexts = defineTable('sms_last_text', {
  /** E.164, of whoever got it. */
  toNumber: primary(exactColumn(20)),
  /** The number that it left from; empty for a message without one. */
  fromNumber: primary(exactColumn(20)),
  environmentId: primary(uuidColumn()),
  messageId: uuidColumn(),
});
