import type { Rows } from '#core/runtime/database/rows.js';
import type { SqlValue } from '#core/runtime/database/statement.js';
import { idTextSql } from '#core/runtime/id.js';
import type { MessageFields } from '../tables.js';
import type { BroadcastDriver } from './driver.js';
import { siblingId } from './ids.js';
import type { BroadcastFields } from '../broadcast-tables.js';

/**
 * Events of a broadcast's messages as rows of SQL. Their JSON is that of one message with a marker in each field that
 * differs; the markers are replaced by the fields of the stored messages `m`.
 * @param message a message as the event shows it
 * @param from WHERE and FROM clauses that select the messages `m`, with the SQL of their number from 1
 */
export function eventRows<B extends BroadcastFields, M extends MessageFields>(
  { eventData, eventFields }: Pick<BroadcastDriver<B, M>, 'eventData' | 'eventFields'>,
  message: M,
  prefix: Buffer,
  from: { sql: string; parameters: readonly SqlValue[]; ordinal: string },
): Rows<'id' | 'ordinal' | 'subject_id' | 'person_id' | 'data'> {
  const fields = Object.entries<{ marker: M[keyof M]; json: string } | undefined>(eventFields);
  const marked = fields.flatMap(([field, each]) => (each ? [[field, each.marker] as const] : []));
  const text = JSON.stringify(eventData({ ...message, ...Object.fromEntries(marked) }));
  const sqlOf = new Map(
    fields.flatMap(([, each]) => (each ? [[JSON.stringify(each.marker), each.json] as const] : [])),
  );
  const parts = splitAt(text, [...sqlOf.keys()]);
  const data = parts.map((part) => sqlOf.get(part) ?? '?').join(', ');
  return {
    sql: `SELECT ${siblingId('m.id')} AS id, ${from.ordinal} AS ordinal, ${idTextSql('m.id')} AS subject_id, m.contact_id AS person_id,
      CONCAT(${data}) AS data ${from.sql}`,
    parameters: [prefix, ...parts.filter((part) => !sqlOf.has(part)), ...from.parameters],
    columns: ['id', 'ordinal', 'subject_id', 'person_id', 'data'],
  };
}

/** Splits a text before and after each of some parts of it. */
function splitAt(text: string, separators: readonly string[]): string[] {
  let pieces = [text];
  for (const separator of separators)
    pieces = pieces.flatMap((piece) =>
      separators.includes(piece)
        ? [piece]
        : piece.split(separator).flatMap((each, index) => (index === 0 ? [each] : [separator, each])),
    );
  return pieces.filter((piece) => piece !== '');
}
