/** Counters of every channel in addition to statuses (core/messaging/stat-tables.ts); always 0 for mail. */
export const up: readonly string[] = ['email_stat', 'email_stat_change'].flatMap((table) =>
  ['segments', 'received'].map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} INT NOT NULL DEFAULT 0`),
);
