import { intColumn, jsonColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import type { RowFrom, Table } from '#core/runtime/database/table.js';

/** What the server answered to a message of a chunk. */
export interface StoredAnswer {
  readonly id: string;
  readonly code: number | null;
  readonly response: string;
  readonly providerId: string | null;
  readonly durationMs: number;
  /** The fields that delivery has set (DeliveryDriver.renderedFields). */
  readonly rendered: Readonly<Record<string, unknown>>;
}

/** The columns of a channel's journal of chunks (bulk/journal.ts): a row for each batch of answers. */
export const journalColumns = {
  /** The id of the chunk. */
  workId: primary(uuidColumn()),
  seq: primary(intColumn()),
  answers: jsonColumn<readonly StoredAnswer[]>(),
};
export type JournalTable = Table<RowFrom<typeof journalColumns>>;
