import {
  bytesColumn,
  choiceColumn,
  exactColumn,
  idColumn,
  primary,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** A topic or segment that an open broadcast or active automation uses. */
export const references = defineTable('audience_usage', {
  environmentId: idColumn(),
  kind: primary(choiceColumn(['topic', 'segment'], 7)),
  /** The topic's key, or the segment's id. */
  target: primary(bytesColumn(64)),
  /** What uses it, as refusals name it: `broadcast`, `automation`. */
  inUseByType: primary(exactColumn(40)),
  inUseById: primary(uuidColumn()),
});
