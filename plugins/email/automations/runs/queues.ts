/**
 * The work queue of runs: one row per waiting run, due when it takes its next step. Its partition is the automation.
 */
export const runQueue = { name: 'email.automation.runs', table: 'email_automation_queue' } as const;

/** The work queue of archived automations whose runs must still be ended. */
export const archiveQueue = { name: 'email.automation.archive', table: 'email_automation_archive_queue' } as const;
