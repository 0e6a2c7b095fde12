/** An erasure knows the audit record of the call that requested it, which the events of the erasure refer to. */
export const up: readonly string[] = ['ALTER TABLE svc_erasure ADD COLUMN activity_id BINARY(16) NULL'];
