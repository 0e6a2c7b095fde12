import type { Deployment } from '#core/kernel/deployment.js';
import { exampleDataOf } from '#core/kernel/events/example.js';

/** Sample `data` for an event type: its example. */
export function sampleOf({ events }: Deployment, eventType: string): Record<string, unknown> {
  const declaration = events.get(eventType);
  return declaration ? exampleDataOf(declaration) : {};
}
