/**
 * An `eventId` is unique per environment and event name, so that independent systems may number orders and invoices
 * alike.
 */
export const up: readonly string[] = [
  'ALTER TABLE audience_event ADD UNIQUE KEY name_event_id (environment_id, name, event_id)',
  'ALTER TABLE audience_event DROP INDEX event_id',
];
