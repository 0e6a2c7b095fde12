/**
 * `join_problem`: why a number could not join its environment’s registration, in the provider’s words; null if it
 * joined or does not need to.
 */
export const up: readonly string[] = ['ALTER TABLE sms_number ADD COLUMN join_problem VARCHAR(500) NULL'];
