/** Finds the invitations that were never accepted and expired long ago (plugins/auth/retention.ts). */
export const up: readonly string[] = ['ALTER TABLE auth_org_invite ADD KEY expiry (accepted_at, expires_at)'];
