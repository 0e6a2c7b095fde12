/**
 * When an account, a project or a draft of a theme was changed last, for `ifUnchangedSince`. Null for rows that were
 * not changed since.
 */
export const up: readonly string[] = [
  'ALTER TABLE account ADD COLUMN updated_at DATETIME(3) NULL',
  'ALTER TABLE account_project ADD COLUMN updated_at DATETIME(3) NULL',
  'ALTER TABLE account_theme ADD COLUMN updated_at DATETIME(3) NULL',
];
