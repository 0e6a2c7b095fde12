/** Erasures that wait for a disabled product, whose tables still contain data about the person. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_erasure_deferred (
    product VARBINARY(64) NOT NULL,
    erasure_id BINARY(16) NOT NULL,
    PRIMARY KEY (product, erasure_id)
  ) ENGINE=InnoDB`,
];
