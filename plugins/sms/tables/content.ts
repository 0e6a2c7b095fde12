import { blobColumn, idColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/**
 * The content of system texts, sealed because it may be a code. It has the message's id, and is deleted once the
 * message has ended.
 */
export const contents = defineTable('sms_content', { id: idColumn(), sealed: blobColumn() });
