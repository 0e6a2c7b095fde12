/**
 * Archived projects (plugins/account/projects/archive.ts). The time is also in the project's environments, because
 * every request reads them. `by_test_key` counts the projects that keys of test environments created.
 */
export const up: readonly string[] = [
  'ALTER TABLE account_project ADD COLUMN archived_at DATETIME(3) NULL',
  'ALTER TABLE account_project ADD COLUMN by_test_key TINYINT NOT NULL DEFAULT 0',
  'ALTER TABLE svc_environment ADD COLUMN archived_at DATETIME(3) NULL',
];
