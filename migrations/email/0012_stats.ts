const statuses = ['queued', 'sent', 'failed', 'suppressed', 'bounced', 'cancelled'] as const;
const columns = statuses.map((status) => `${status} INT NOT NULL`).join(', ');

/** The counts of the messages that are there, so that what becomes of them is counted right. */
const countExisting = (dimension: string, value: string, from: string): string =>
  `INSERT INTO email_stat (environment_id, dimension, value, day, ${statuses.join(', ')})
   SELECT m.environment_id, '${dimension}', ${value}, TO_DAYS(m.created_at) - TO_DAYS('1970-01-01'),
     SUM(m.status IN ('queued', 'held', 'sending')),
     ${statuses
       .slice(1)
       .map((status) => `SUM(m.status = '${status}')`)
       .join(', ')}
   FROM ${from} GROUP BY 1, 3, 4`;

/**
 * How many messages have which status, by day: counts, and changes that they do not contain yet
 * (core/messaging/stat-tables.ts).
 */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_stat (
    environment_id BINARY(16) NOT NULL,
    dimension VARBINARY(10) NOT NULL,
    value VARBINARY(120) NOT NULL,
    day INT NOT NULL,
    ${columns},
    PRIMARY KEY (environment_id, dimension, value, day),
    KEY day (day)
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS email_stat_change (
    id BINARY(16) NOT NULL,
    environment_id BINARY(16) NOT NULL,
    dimension VARBINARY(10) NOT NULL,
    value VARBINARY(120) NOT NULL,
    day INT NOT NULL,
    ${columns},
    PRIMARY KEY (id),
    KEY counted (environment_id, dimension, value, day)
  ) ENGINE=InnoDB`,
  'DELETE FROM email_stat',
  countExisting('all', "''", 'email_message m'),
  countExisting('template', 'm.template', '(SELECT * FROM email_message WHERE template IS NOT NULL) m'),
  countExisting(
    'tag',
    'LEFT(SHA2(CONCAT(m.environment_id, t.tag), 256), 32)',
    'email_tag t JOIN email_message m ON m.id = t.message_id',
  ),
];
