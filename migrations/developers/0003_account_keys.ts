/**
 * Keys of the first start, bootstrap and signup belong to the account only: they remain when the owner they were
 * created for leaves.
 */
export const up: readonly string[] = [
  `UPDATE developers_key SET member_id = NULL
   WHERE name IN ('First key', 'First publishable key') AND created_by IN ('First start', 'npm run bootstrap', 'account.signup')`,
];
