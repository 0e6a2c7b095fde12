/**
 * Events that nobody has fanned out yet carry a mark of their own: ids do not commit in order, so no reader remembers
 * the last one.
 */
export const up: readonly string[] = [
  'ALTER TABLE svc_event ADD COLUMN pending TINYINT NULL',
  'ALTER TABLE svc_event ADD KEY fan_out (pending, id)',
  'ALTER TABLE svc_event ADD KEY type (environment_id, type, id)',
];
