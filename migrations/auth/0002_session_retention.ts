/** Sessions are deleted 90 days after they ended (plugins/auth/retention.ts). */
export const up: readonly string[] = ['ALTER TABLE auth_session ADD KEY ended_at (ended_at)'];
