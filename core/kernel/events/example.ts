import { isRecord } from '#core/runtime/json.js';
import { exampleOf } from '../schema/example.js';
import type { EventDeclaration } from '../event.js';
import { exampleEvent, type EventValue } from './resource.js';

/** An event's declared example data, or data generated from its schema. */
export function exampleDataOf({ example, data }: EventDeclaration): Record<string, unknown> {
  const found = example ?? exampleOf(data);
  return isRecord(found) ? found : {};
}

/** An example of an event as it is delivered. */
export const examplePayload = (name: string, declaration: EventDeclaration): EventValue => ({
  ...exampleEvent,
  type: name,
  environment: declaration.isTestExample ? 'test' : exampleEvent.environment,
  subject: { type: declaration.subject, id: exampleEvent.subject.id },
  data: exampleDataOf(declaration),
});
