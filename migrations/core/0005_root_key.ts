/** A check value that distinguishes the deployment’s secret key from another one and reveals nothing about it. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_root_key (
    id TINYINT NOT NULL,
    digest BINARY(32) NOT NULL,
    PRIMARY KEY (id)
  ) ENGINE=InnoDB`,
];
