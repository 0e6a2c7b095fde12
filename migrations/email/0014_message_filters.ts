/** Lists of the messages of one template or automation, newest first. */
export const up: readonly string[] = [
  'ALTER TABLE email_message ADD KEY template (environment_id, template, id), ADD KEY automation (automation_id, id)',
];
