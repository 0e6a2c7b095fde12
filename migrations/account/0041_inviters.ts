/**
 * Invitations record the member who sent them (plugins/account/members/open-invitations.ts). If the person who opened
 * an account has not proven the address, the address can still sign up.
 */
export const up: readonly string[] = [
  'ALTER TABLE account_member ADD COLUMN inviter_id BINARY(16) NULL',
  'ALTER TABLE account_member ADD KEY inviter (inviter_id)',
  `UPDATE account_member m
   JOIN account_member i ON i.account_id = m.account_id AND i.email_key = CAST(LOWER(m.invited_by) AS BINARY)
   SET m.inviter_id = i.id WHERE m.status = 'invited' AND m.inviter_id IS NULL`,
  `UPDATE account a
   LEFT JOIN account_member m ON m.account_id = a.id AND m.email_key = a.opened_by AND m.proven_at IS NOT NULL
   SET a.opened_by = NULL WHERE a.opened_by IS NOT NULL AND m.id IS NULL`,
];
