/**
 * When the role of an organization's member was changed last, for `ifUnchangedSince`. Null for members whose role was
 * not changed since.
 */
export const up: readonly string[] = ['ALTER TABLE auth_org_member ADD COLUMN updated_at DATETIME(3) NULL'];
