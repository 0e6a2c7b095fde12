import { choiceColumn, exactColumn, idColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** A template or a sending domain that an open broadcast or automation uses. */
export const references = defineTable('email_usage', {
  environmentId: idColumn(),
  kind: primary(choiceColumn(['template', 'domain'], 8)),
  /** The template's name, or the domain. */
  target: primary(exactColumn(253)),
  /** The kind of its user, as refusals name it: `broadcast`, `automation`. */
  inUseByType: primary(exactColumn(40)),
  inUseById: primary(uuidColumn()),
});
