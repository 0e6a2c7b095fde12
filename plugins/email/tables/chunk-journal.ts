import { journalColumns } from '#core/messaging/journal-columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** See core/messaging/bulk/journal.ts. */
export const chunkJournal = defineTable('email_chunk_journal', journalColumns);
