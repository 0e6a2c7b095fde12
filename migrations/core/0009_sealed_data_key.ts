/**
 * The key that other keys are derived from, encrypted with SVC_SECRET_KEY, which can then be changed
 * (docs/decisions/0020-secrets-at-rest.md).
 */
export const up: readonly string[] = ['ALTER TABLE svc_root_key ADD COLUMN sealed_key VARBINARY(255) NULL'];
