import type { Services } from '#core/kernel/services.js';
import { idBytes } from '#core/runtime/id.js';
import { checkRow, type CheckedRow } from './row.js';

/** The rows of one part, each validated separately. */
export interface CheckedPart {
  position: number;
  rows: readonly CheckedRow[];
}

interface PartColumns {
  position: number;
  first_row: number;
  contacts: string;
  created_at: Date;
}

/**
 * Reads the next part of an import after the position `after`, and validates its rows.
 * @returns undefined if none is left
 */
export async function readPart(
  { database }: Pick<Services, 'database'>,
  importId: string,
  after: number,
): Promise<CheckedPart | undefined> {
  const [found] = await database.rows<PartColumns>(
    `SELECT p.position, p.first_row, p.contacts, i.created_at
     FROM audience_import_part p JOIN audience_import i ON i.id = p.import_id
     WHERE p.import_id = ? AND p.position > ? ORDER BY p.position LIMIT 1`,
    [idBytes(importId), after],
  );
  if (!found) return undefined;
  const rows: unknown = JSON.parse(found.contacts);
  if (!Array.isArray(rows)) throw new Error('The stored rows of an import are not a list.');
  const checked = rows.map((row: unknown, index) => checkRow(found.first_row + index, row, found.created_at));
  return { position: found.position, rows: checked };
}
