/** Settings of the last start, for commands that join the server (core/platform/recorded-settings.ts). */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_setting (
    variable VARBINARY(64) NOT NULL,
    value VARCHAR(2000) NULL,
    PRIMARY KEY (variable)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin`,
];
