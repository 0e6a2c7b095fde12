/**
 * The users of an app of the OpenID provider, in the order of their ids (`appId` of auth.user.list). A grant names the
 * app's own id, because an app that is removed and added again under its key is another app. Grants from before this
 * migration have none.
 */
export const up: readonly string[] = [
  `ALTER TABLE auth_openid_record
    ADD COLUMN app_uid BINARY(16) NULL,
    ADD KEY app_users (environment_id, app_id, user_id, expires_at, app_uid)`,
];
