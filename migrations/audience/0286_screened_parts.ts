/** When the rows of a waiting import were last searched for people who had been erased. */
export const up: readonly string[] = ['ALTER TABLE audience_import_part ADD COLUMN screened_at DATETIME(3) NULL'];
