import { refusalOf } from '#core/kernel/errors/common.js';
import type { ValueOf } from '#core/kernel/schema/schema.js';
import type { Session } from '#core/runtime/database/session.js';
import { insertInto, type Statement } from '#core/runtime/database/statement.js';
import { idBytes } from '#core/runtime/id.js';
import type { RejectedRow } from '../resources.js';
import { importRejections } from '../tables/import.js';

export type Rejection = ValueOf<typeof RejectedRow>;

const pageRows = 100;
const longestMessage = 1000;

/** The rows that an import has refused so far; null where there are none. */
export const rejectionStatement = (importId: string, rejections: readonly Rejection[]): Statement | null =>
  rejections.length === 0
    ? null
    : insertInto(
        'audience_import_rejection',
        rejections.map(({ row, code, message }) => ({
          import_id: idBytes(importId),
          row_no: row,
          code: Buffer.from(code),
          message: message.slice(0, longestMessage),
        })),
      );

/** @throws invalid_input when `before` is not what an earlier page answered */
function rowBefore(before: string | undefined): number {
  if (before === undefined) return 0;
  if (/^\d{1,9}$/.test(before)) return Number(before);
  const problem = 'must be the nextBefore of an earlier page';
  throw refusalOf.invalid_input({ field: 'before', problem, details: { field: 'before' } });
}

/**
 * One page of refused rows, in the order of their numbers: a running import refuses further ones behind those that were read.
 * @param before where the page before this one ended
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
      before: rowBefore(before),
    })
    .orderBy('rejection.row_no')
    .limit(pageRows + 1)
    .getMany();
  const rejected = found.slice(0, pageRows).map(({ rowNo: row, code, message }) => ({ row, code, message }));
  return { rejected, next: found.length > pageRows ? String(rejected.at(-1)?.row) : null };
}
