/**
 * The OpenID provider (docs/openid.md): secrets of apps, as digests, and what oidc-provider stores: sessions, grants,
 * codes and tokens, by the digest of their ids and encrypted.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS auth_app_secret (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    app_id VARBINARY(64) NOT NULL,
    secret_digest BINARY(32) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    KEY app (environment_id, app_id),
    KEY expires_at (expires_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS auth_openid_record (
    environment_id BINARY(16) NOT NULL,
    id_digest BINARY(32) NOT NULL,
    grant_digest BINARY(32) NULL,
    uid_digest BINARY(32) NULL,
    user_id BINARY(16) NULL,
    payload MEDIUMBLOB NOT NULL,
    consumed_at DATETIME(3) NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, id_digest),
    KEY by_grant (environment_id, grant_digest),
    KEY by_uid (environment_id, uid_digest),
    KEY user_id (user_id),
    KEY expires_at (expires_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
