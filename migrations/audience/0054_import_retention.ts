/** When an import's rejected rows were deleted because of their age. */
export const up: readonly string[] = ['ALTER TABLE audience_import ADD COLUMN rejected_removed_at DATETIME(3) NULL'];
