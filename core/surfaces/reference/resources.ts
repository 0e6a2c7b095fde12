import type { Catalogue } from '#core/kernel/catalogue.js';
import { Event } from '#core/kernel/events/resource.js';
import { componentName, isSchema, type JsonSchema } from '#core/kernel/schema/schema.js';

/** The resources used by operations and events of this catalogue, by name. */
export function resourcesOf(catalogue: Catalogue): ReadonlyMap<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    if (!isSchema(value)) return;
    const name = componentName(value);
    if (name !== undefined && found.has(name)) return;
    if (name !== undefined) found.set(name, value);
    Object.values(value).forEach(walk);
  };
  for (const { input, output } of catalogue.operations.values()) walk([input, output]);
  for (const { data } of catalogue.events.values()) walk(data);
  if (catalogue.events.size > 0) walk(Event);
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b, 'en')));
}
