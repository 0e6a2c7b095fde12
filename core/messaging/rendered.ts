import { idList, idLiteral } from '#core/runtime/database/literal.js';
import type { Statement } from '#core/runtime/database/statement.js';
import type { ChannelTables, MessageFields } from './tables.js';

/** The assignments that store the fields that delivery attempts have set: `subject = …, template_locale = …`. */
export function renderedAssignments<M extends MessageFields>(
  { messages: table }: Pick<ChannelTables<M>, 'messages'>,
  fields: readonly (keyof M & string)[],
  messages: readonly M[],
): string {
  const assignments = fields.flatMap((field) => {
    const column = table.tableColumns.get(field);
    if (!column) return [];
    const values = messages.map((message) => column.literal(message[field]));
    const [first] = values;
    if (first === undefined) return [];
    if (values.every((value) => value === first)) return [`${column.name} = ${first}`];
    const cases = messages.map(({ id }, index) => `WHEN ${idLiteral(id)} THEN ${values[index] ?? first}`);
    return [`${column.name} = CASE id ${cases.join(' ')} END`];
  });
  return assignments.join(', ');
}

/** Stores the fields that delivery attempts have set in messages that have not ended. */
export function renderedStatements<M extends MessageFields>(
  tables: Pick<ChannelTables<M>, 'messages'>,
  fields: readonly (keyof M & string)[],
  messages: readonly M[],
): Statement[] {
  const assignments = renderedAssignments(tables, fields, messages);
  if (assignments === '') return [];
  return [
    {
      sql: `UPDATE ${tables.messages.tableName} SET ? WHERE id IN (?)`,
      parameters: [{ toSqlString: () => assignments }, idList(messages.map(({ id }) => id))],
    },
  ];
}
