/**
 * Events that are not fanned out yet have a mark: ids do not commit in order, so a reader cannot continue from the last
 * id.
 */
export const up: readonly string[] = [
  'ALTER TABLE svc_event ADD COLUMN pending TINYINT NULL',
  'ALTER TABLE svc_event ADD KEY fan_out (pending, id)',
  'ALTER TABLE svc_event ADD KEY type (environment_id, type, id)',
];
