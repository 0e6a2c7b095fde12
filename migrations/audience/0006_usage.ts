/** Renamed: a reference to a topic or segment is its usage, and a suppression is active until it is lifted. */
export const up: readonly string[] = [
  'RENAME TABLE audience_hold TO audience_usage',
  `ALTER TABLE audience_usage RENAME COLUMN holder_type TO in_use_by_type, RENAME COLUMN holder_id TO in_use_by_id,
    RENAME INDEX holder TO in_use_by`,
  'ALTER TABLE audience_suppression RENAME COLUMN standing TO active, RENAME INDEX standing TO active',
];
