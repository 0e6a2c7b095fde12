/**
 * Searches for the later words of users’ names, erasure of users, the order in which members joined, and resent
 * invitations.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS auth_user_name (
    environment_id BINARY(16) NOT NULL,
    part VARBINARY(200) NOT NULL,
    user_id BINARY(16) NOT NULL,
    PRIMARY KEY (environment_id, part, user_id),
    KEY user (user_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS auth_erased_user (
    user_id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    erased_at DATETIME(3) NOT NULL,
    PRIMARY KEY (user_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS auth_org_former_member (
    organization_id BINARY(16) NOT NULL,
    user_id BINARY(16) NOT NULL,
    role VARBINARY(6) NOT NULL,
    joined_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NOT NULL,
    PRIMARY KEY (organization_id, user_id),
    KEY user (user_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  'ALTER TABLE auth_org_member ADD COLUMN id BINARY(16) NOT NULL, ADD UNIQUE KEY joined (organization_id, id)',
  'ALTER TABLE auth_org_invite ADD COLUMN token_sealed VARBINARY(200) NULL, ADD KEY accepted_by (accepted_by)',
  'ALTER TABLE auth_challenge ADD KEY identity (environment_id, identity_kind, identity_key)',
  'ALTER TABLE auth_device ADD KEY user (user_id)',
  'ALTER TABLE auth_oauth_state ADD KEY user (user_id)',
];
