/** What tells the deployment's secret key from another one, and nothing of the key. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_root_key (
    id TINYINT NOT NULL,
    digest BINARY(32) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
];
