/** The answers to messages of leased chunks that are not recorded yet (core/messaging/bulk/journal.ts). */
export const up: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS email_chunk_journal (
    work_id BINARY(16) NOT NULL,
    seq INT NOT NULL,
    answers JSON NOT NULL,
    PRIMARY KEY (work_id, seq)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4`,
];
