/** Ended runs are found by the time of their end, to be deleted. */
export const up: readonly string[] = ['ALTER TABLE email_automation_run ADD KEY ended (ended_at)'];
