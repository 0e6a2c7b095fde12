import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { Event } from '#core/kernel/events/resource.js';
import { componentName, isSchema, type JsonSchema } from '#core/kernel/schema/schema.js';
import { html, type Markup } from '../pages/html.js';
import { resourceAnchor, resourceLink } from './anchors.js';
import { objectTable } from './field-table.js';
import type { Reference } from './operation.js';

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

/** One section per resource; operations and events link here. */
export function resourceSections(resources: ReadonlyMap<string, JsonSchema>, { prose }: Reference): Markup {
  if (resources.size === 0) return undefined;
  return html`<section class="group">
    <h1>Resources</h1>
    <div class="lead">
      <p>Objects in results and events. Later versions may add fields: ignore those you do not know.</p>
    </div>
    ${[...resources].map(([name, schema]) => {
      const { description } = schema;
      return html`<section class="entry resource" id=${resourceAnchor(name)}>
        <h2><a href=${resourceLink(name)}>${name}</a></h2>
        ${typeof description === 'string' && html`<p class="summary">${prose(description)}</p>`}
        ${objectTable(`Fields of ${name}`, schema, 'response', prose)}
      </section>`;
    })}
  </section>`;
}
