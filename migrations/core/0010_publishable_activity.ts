/**
 * Whether the call had a publishable key: its IP address and User-Agent are then personal data, which an erasure
 * removes.
 */
export const up: readonly string[] = ['ALTER TABLE svc_activity ADD COLUMN publishable TINYINT NOT NULL DEFAULT 0'];
