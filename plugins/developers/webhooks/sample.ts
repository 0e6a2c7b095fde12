import type { Deployment } from '#core/kernel/deployment.js';
import { exampleOf } from '#core/kernel/schema/example.js';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Generates sample `data` for an event type from its schema. */
export function sampleOf({ events }: Deployment, eventType: string): Record<string, unknown> {
  const declaration = events.get(eventType);
  const sample = declaration ? exampleOf(declaration.data) : {};
  return isRecord(sample) ? sample : {};
}
