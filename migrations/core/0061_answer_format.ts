/** How the fingerprint of a stored answer was computed; 0 in earlier versions (core/kernel/idempotency/key.ts). */
export const up: readonly string[] = ['ALTER TABLE svc_idempotency ADD COLUMN format TINYINT NOT NULL DEFAULT 0'];
