/** Deliveries of a status, such as dead ones, are listed newest first. */
export const up: readonly string[] = [
  'ALTER TABLE developers_delivery ADD KEY environment_status (environment_id, status, id)',
];
