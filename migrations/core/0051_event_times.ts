/** An index that finds events by their time (docs/decisions/0051-bounded-lists.md). */
export const up: readonly string[] = ['ALTER TABLE svc_event ADD KEY created (environment_id, created_at)'];
