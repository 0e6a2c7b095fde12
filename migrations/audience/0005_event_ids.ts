/**
 * An `eventId` is unique per environment and event name: systems that number orders and invoices apart may use the same
 * ids.
 */
export const up: readonly string[] = [
  'ALTER TABLE audience_event ADD UNIQUE KEY name_event_id (environment_id, name, event_id)',
  'ALTER TABLE audience_event DROP INDEX event_id',
];
