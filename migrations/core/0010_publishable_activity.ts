/**
 * Whether the call came with a publishable key: its IP address and User-Agent are those of a person, whose erasure
 * removes them.
 */
export const up: readonly string[] = ['ALTER TABLE svc_activity ADD COLUMN publishable TINYINT NOT NULL DEFAULT 0'];
