import type { SqlValue } from '#core/runtime/database/statement.js';

/** An SQL condition, with the values of its placeholders. */
export interface Condition {
  sql: string;
  parameters: readonly SqlValue[];
}
