import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { RejectedRow } from '../resources.js';
import { importRejections } from '../tables/import.js';

export type Rejection = ValueOf<typeof RejectedRow>;

const pageSize = 100;
const maxMessageLength = 1000;

/** Stores rejected rows; null if there are none. */
export const rejectionStatement = (importId: string, rejections: readonly Rejection[]): Statement | null =>
  rejections.length === 0
    ? null
    : importRejections.insertRows(
        rejections.map(({ row, code, message }) => ({
          importId,
          rowNo: row,
          code,
          message: message.slice(0, maxMessageLength),
        })),
      );

/** Parses the cursor. @throws invalid_input if `before` is not the `nextBefore` of a page */
function parseCursor(before: string | undefined): number {
  if (before === undefined) return 0;
  if (/^\d{1,9}$/.test(before)) return Number(before);
  const problem = 'must be the nextBefore of an earlier page';
  throw invalidField('before', problem);
}

/**
 * One page of rejected rows, in the order of their numbers, so that a running import adds new ones at the end.
 * @param before `nextBefore` of the previous page
 */
export async function rejectionPage(
  db: Session,
  importId: string,
  before: string | undefined,
): Promise<{ rejected: Rejection[]; next: string | null }> {
  const found = await db
    .select(importRejections, 'rejection')
    .where('rejection.import_id = :id AND rejection.row_no > :before', {
      id: idBytes(importId),
      before: parseCursor(before),
    })
    .orderBy('rejection.row_no')
    .limit(pageSize + 1)
    .getMany();
  const rejected = found.slice(0, pageSize).map(({ rowNo: row, code, message }) => ({ row, code, message }));
  return { rejected, next: found.length > pageSize ? String(rejected.at(-1)?.row) : null };
}
