/** Lists of runs by status, newest first: of all automations of an environment, and of one. */
export const up: readonly string[] = [
  'ALTER TABLE email_automation_run ADD KEY environment_status (environment_id, status, id), ADD KEY automation_status (automation_id, status, id)',
];
