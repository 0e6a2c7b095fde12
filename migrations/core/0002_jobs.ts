/**
 * The recurring jobs of Agenda, if they are kept in MySQL. locked_at is the database’s time; all other times are those
 * of the node that saved them. `fence` counts the claims of a row: a worker saves only if the count has not changed
 * since its claim.
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS svc_job (
    id BINARY(16) NOT NULL,
    name VARBINARY(255) NOT NULL,
    is_single TINYINT NOT NULL,
    single_name VARBINARY(255) GENERATED ALWAYS AS (IF(is_single = 1, name, NULL)) VIRTUAL,
    unique_key BINARY(32) NULL,
    priority INT NOT NULL,
    disabled TINYINT NOT NULL,
    next_run_at DATETIME(3) NULL,
    locked_at DATETIME(3) NULL,
    locked_by BINARY(16) NULL,
    fence INT UNSIGNED NOT NULL,
    data JSON NULL,
    repeat_interval VARCHAR(255) NULL,
    repeat_timezone VARCHAR(64) NULL,
    repeat_at VARCHAR(255) NULL,
    skip_days VARCHAR(20) NULL,
    start_date DATETIME(3) NULL,
    end_date DATETIME(3) NULL,
    debounce_started_at DATETIME(3) NULL,
    fork TINYINT NOT NULL,
    last_run_at DATETIME(3) NULL,
    last_finished_at DATETIME(3) NULL,
    failed_at DATETIME(3) NULL,
    fail_count INT NULL,
    fail_reason MEDIUMTEXT NULL,
    progress DOUBLE NULL,
    last_modified_by VARCHAR(255) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY svc_job_single (single_name),
    UNIQUE KEY svc_job_unique (name, unique_key),
    KEY svc_job_claim (name, disabled, locked_at, next_run_at, priority DESC)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
