/**
 * Apps of the OpenID provider. An app that is removed and added again under the same key is another app, so it has an
 * id: what the first one holds does not become valid again. Apps from before this migration have no row.
 *
 * Grants name their app and session, so that a person sees the apps that may use the account.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS auth_openid_app (
    environment_id BINARY(16) NOT NULL,
    app_id VARBINARY(64) NOT NULL,
    id BINARY(16) NOT NULL,
    PRIMARY KEY (environment_id, app_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `ALTER TABLE auth_openid_record
    ADD COLUMN app_id VARBINARY(64) NULL,
    ADD COLUMN session_id BINARY(16) NULL,
    ADD COLUMN created_at DATETIME(3) NULL,
    ADD KEY by_app (user_id, app_id, session_id)`,
];
