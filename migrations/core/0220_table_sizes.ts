/**
 * The sizes of tables on earlier days (core/runtime/database/server/table-sizes.ts). `day` counts from 1970-01-01, UTC.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_table_size (
    day INT NOT NULL,
    table_name VARBINARY(64) NOT NULL,
    bytes BIGINT NOT NULL,
    measured_at DATETIME(3) NOT NULL,
    PRIMARY KEY (day, table_name)
  ) ENGINE=InnoDB`,
];
