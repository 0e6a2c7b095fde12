import { digestColumn, jsonColumn, primary, timeColumn, uuidColumn } from '#core/runtime/database/columns.js';
import { defineTable } from '#core/runtime/database/table.js';

/** The recent soft bounces of an address. The address is kept as a digest: it must be recognised, never read. */
export const softBounces = defineTable('email_soft_bounce', {
  environmentId: primary(uuidColumn()),
  addressDigest: primary(digestColumn()),
  /** Times in milliseconds since 1970, oldest first. */
  times: jsonColumn<number[]>(),
  lastAt: timeColumn(),
});
