/**
 * Renamed: when the owners were notified that a share of the cap is spent. The job has a new name, so the old one is
 * deleted.
 */
export const up: readonly string[] = [
  `ALTER TABLE billing_month RENAME COLUMN half_told_at TO half_notified_at,
    RENAME COLUMN most_told_at TO most_notified_at`,
  "DELETE FROM svc_job WHERE name = 'billing.tell-owners'",
];
