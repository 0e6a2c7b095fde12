import { referencesIn } from '#core/messaging/references.js';
import { choiceColumn, exactColumn, idColumn, primary, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** A template that an open broadcast or automation uses. */
export const references = defineTable('sms_usage', {
  environmentId: idColumn(),
  kind: primary(choiceColumn(['template'], 8)),
  /** The template's name. */
  target: primary(exactColumn(100)),
  /** The kind of its user, as refusals name it: `broadcast`, `automation`. */
  inUseByType: primary(exactColumn(40)),
  inUseById: primary(uuidColumn()),
});

/** References to templates. */
export const smsReferences = referencesIn(references);
