/** Members and projects are listed newest first. */
export const up: readonly string[] = [
  'ALTER TABLE account_member ADD KEY account (account_id, id)',
  'ALTER TABLE account_project ADD KEY account (account_id, id)',
];
