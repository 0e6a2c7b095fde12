/** Keyed digests of what erased people were known by: input that was accepted earlier does not bring them back. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_erased_name (
    environment_id BINARY(16) NOT NULL,
    product VARBINARY(64) NOT NULL,
    name_digest BINARY(32) NOT NULL,
    erased_at DATETIME(3) NOT NULL,
    PRIMARY KEY (environment_id, product, name_digest),
    KEY erased (environment_id, product, erased_at)
  ) ENGINE=InnoDB`,
];
