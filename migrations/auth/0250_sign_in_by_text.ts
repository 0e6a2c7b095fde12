/**
 * Sign-in by text is off by default. It stays on for environments that use it: those that have users with a number, and
 * those whose settings turn off codes and links by mail.
 */
export const up: readonly string[] = [
  `INSERT INTO auth_settings (environment_id, changed, updated_at)
   SELECT e.id, '{}', NOW(3) FROM svc_environment e
   WHERE EXISTS (SELECT 1 FROM auth_identity i WHERE i.environment_id = e.id AND i.kind = 'phone')
   ON DUPLICATE KEY UPDATE auth_settings.environment_id = auth_settings.environment_id`,
  // Earlier choices win: if texts were turned off, they stay off.
  `UPDATE auth_settings s SET changed = JSON_MERGE_PATCH('{"methods": {"sms": {"enabled": true}}}', changed)
   WHERE EXISTS (SELECT 1 FROM auth_identity i WHERE i.environment_id = s.environment_id AND i.kind = 'phone')
      OR JSON_CONTAINS(changed, '{"methods": {"code": {"enabled": false}, "link": {"enabled": false}}}')`,
];
