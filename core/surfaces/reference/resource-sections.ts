import type { JsonSchema } from '#core/kernel/schema/schema.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { resourceAnchor, resourceLink } from './anchors.js';
import { objectTable } from './field-table.js';
import type { Reference } from './operation.js';

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
