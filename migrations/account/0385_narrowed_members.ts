/**
 * Memberships that have only some permissions of their role (plugins/account/members/narrowed.ts). Null: all of them.
 */
export const up: readonly string[] = ['ALTER TABLE account_member ADD COLUMN permissions JSON NULL'];
