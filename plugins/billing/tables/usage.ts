import {
  exactColumn,
  flagColumn,
  idColumn,
  int64Column,
  intColumn,
  primary,
  timeColumn,
  uuidColumn,
} from '#core/runtime/database/columns.js';
import { defineTable, type RowOf } from '#core/runtime/database/table.js';

/*
 * Everything metered appends a row in the transaction that accepts it; a reversal is a row with a negative quantity.
 * Background work adds them to the totals and marks them; a reader adds up the totals and the rows without the mark.
 * Rows never change except for their mark, and that marked reversals of one source become one row.
 */

/** The columns that usage is counted by. */
const dimensions = {
  accountId: uuidColumn(),
  /**
   * The month in which the usage is charged, YYYY-MM. This is the month in which it was metered or, in the totals, the
   * next open month if that month was closed.
   */
  period: exactColumn(7),
  meter: exactColumn(40),
  projectId: uuidColumn(),
  /** The day on which it was metered: days since 1970-01-01, UTC. */
  day: intColumn(),
  /** ISO 3166-1 alpha-2; empty if the meter has no countries. */
  country: exactColumn(2),
  /** In a test environment: counted separately, free of charge. */
  isTest: flagColumn(),
};

/** Usage, append-only. */
export const usages = defineTable('billing_usage', {
  id: idColumn(),
  ...dimensions,
  environmentId: uuidColumn(),
  quantity: int64Column(),
  /** What was used: the id of a message, broadcast, number, user. */
  sourceId: exactColumn(64),
  /**
   * The highest price that the usage can have, in micro-units. The usage takes this much from the cap until it is
   * rolled up.
   */
  reserved: int64Column(),
  /** Whether the totals include it. */
  isRolledUp: flagColumn(),
  createdAt: timeColumn(),
});

export type UsageRow = RowOf<typeof usages>;

/** Usage by account, month, meter, project, day and country. */
export const usageTotals = defineTable('billing_usage_total', {
  accountId: primary(dimensions.accountId),
  period: primary(dimensions.period),
  meter: primary(dimensions.meter),
  projectId: primary(dimensions.projectId),
  day: primary(dimensions.day),
  country: primary(dimensions.country),
  isTest: primary(dimensions.isTest),
  quantity: int64Column(),
});

export type UsageTotalRow = RowOf<typeof usageTotals>;

/** Users who were active in a month: each is metered once. */
export const activeUsers = defineTable('billing_active_user', {
  environmentId: primary(uuidColumn()),
  period: primary(exactColumn(7)),
  userId: primary(uuidColumn()),
});

/**
 * The highest number of contacts that an environment had at the end of a day of the month, which is what is metered.
 */
export const contactPeaks = defineTable('billing_contact_peak', {
  environmentId: primary(uuidColumn()),
  period: primary(exactColumn(7)),
  peak: int64Column(),
  /** The last day that was counted: days since 1970-01-01. */
  countedDay: intColumn(),
});
