import { examplePayload } from '#core/kernel/events/example.js';
import { Event } from '#core/kernel/events/resource.js';
import type { EventDeclaration } from '#core/kernel/event.js';
import { componentName } from '#core/kernel/schema/schema.js';
import { html, type Markup } from '../pages/html.js';
import { eventAnchor, eventLink, operationLink, resourceLink } from './anchors.js';
import { jsonText } from './examples.js';
import { fieldTable } from './field-table.js';
import { code } from './forms.js';
import type { Reference } from './operation.js';

const envelope = componentName(Event) ?? 'Event';

const lead = 'Every change is recorded as an event, in the same transaction.';
const more =
  'its `data` is described here. Webhook endpoints receive the types they subscribe to, each as a POST with the event as its body and ' +
  'the headers `Svc-Event-Id`, `Svc-Delivery-Id` and `Svc-Signature`, and those of Standard Webhooks. Delivery is at least once and in no guaranteed order: detect ' +
  'repeats by the event’s id.';

/** Every event of this deployment, with an example of its delivery. */
export function eventSections(reference: Reference): Markup {
  const { catalogue, prose } = reference;
  if (catalogue.events.size === 0) return undefined;
  const writers = writersOf(reference);
  return html`<section class="group">
    <h1>Events</h1>
    <div class="lead">
      <p>${[lead, ' Each is an ', html`<a href=${resourceLink(envelope)}>${envelope}</a>`, '; ', prose(more)]}</p>
    </div>
    ${[...catalogue.events].map(([name, event]) => eventSection(name, event, writers.get(name) ?? [], reference))}
  </section>`;
}

function eventSection(name: string, event: EventDeclaration, writers: readonly string[], { prose }: Reference): Markup {
  const { summary, subject, data } = event;
  const payload = examplePayload(name, event);
  return html`<section class="entry event" id=${eventAnchor(name)}>
    <div class="facts">
      <h2><a href=${eventLink(name)}>${name}</a></h2>
      <p class="summary">${prose(summary)}</p>
      <dl class="terms">
        <div>
          <dt>About</dt>
          <dd>${subject}</dd>
        </div>
        ${
          writers.length > 0 &&
          html`<div>
            <dt>Caused by</dt>
            <dd>${operationLinks(writers)}</dd>
          </div>`
        }
      </dl>
      <h3>Data</h3>
      ${fieldTable(`Data of ${name}`, data, 'response', prose)}
    </div>
    <div class="examples">
      <h3>Payload</h3>
      ${code(`Payload of ${name}`, jsonText(payload), 'json')}
    </div>
  </section>`;
}

/** Links to operations, separated by commas. */
export const operationLinks = (names: readonly string[]): Markup =>
  names.map((name, index) => [index > 0 && ', ', html`<a href=${operationLink(name)}><code>${name}</code></a>`]);

/** The operations that can cause each event. */
function writersOf({ catalogue }: Reference): Map<string, string[]> {
  const writers = new Map<string, string[]>();
  for (const operation of catalogue.operations.values())
    for (const name of catalogue.eventsOf(operation)) writers.set(name, [...(writers.get(name) ?? []), operation.name]);
  return writers;
}
