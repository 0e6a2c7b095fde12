import { queueTable } from '#core/runtime/work/tables.js';

/** Automations: their trigger and step tree, the runs of contacts through it, and what each run did. */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_automation (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    name VARCHAR(120) NOT NULL,
    trigger_event VARBINARY(100) NOT NULL,
    trigger_filter TEXT NULL,
    steps MEDIUMTEXT NOT NULL,
    next_step_id INT NOT NULL,
    version INT NOT NULL,
    reenter TINYINT NOT NULL,
    status VARBINARY(8) NOT NULL,
    archived_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    KEY triggers (environment_id, status, trigger_event),
    KEY status (status, id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_automation_enrolment (
    automation_id BINARY(16) NOT NULL,
    contact_id BINARY(16) NOT NULL,
    run_id BINARY(16) NOT NULL,
    PRIMARY KEY (automation_id, contact_id),
    KEY contact (contact_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_automation_run (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    automation_id BINARY(16) NOT NULL,
    contact_id BINARY(16) NOT NULL,
    person_id BINARY(16) NULL,
    status VARBINARY(9) NOT NULL,
    step_id INT NOT NULL,
    entered TINYINT NOT NULL,
    position VARBINARY(255) NOT NULL,
    context MEDIUMTEXT NOT NULL,
    steps_taken INT NOT NULL,
    activity_id BINARY(16) NULL,
    next_at DATETIME(3) NULL,
    started_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NULL,
    end_reason VARBINARY(40) NULL,
    PRIMARY KEY (id),
    KEY environment (environment_id, id),
    KEY automation (automation_id, id),
    KEY steps (automation_id, status, step_id),
    KEY contact (contact_id, automation_id, id),
    KEY person (person_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  `CREATE TABLE IF NOT EXISTS email_automation_history (
    run_id BINARY(16) NOT NULL,
    position INT NOT NULL,
    step VARBINARY(255) NOT NULL,
    type VARBINARY(16) NOT NULL,
    at DATETIME(3) NOT NULL,
    outcome VARBINARY(16) NOT NULL,
    reason VARBINARY(60) NULL,
    message_id BINARY(16) NULL,
    PRIMARY KEY (run_id, position)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
  queueTable('email_automation_queue'),
  queueTable('email_automation_archive_queue'),
];
