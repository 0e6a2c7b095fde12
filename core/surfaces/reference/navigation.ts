import { html, type Markup } from '#core/surfaces/pages/html.js';
import { errorAnchor, eventAnchor, productAnchor, resourceAnchor } from './anchors.js';
import { answeredCodes } from './errors.js';
import type { Reference } from './operation.js';

/** The operations of a product, in the order in which it lists them. */
export const operationsOf = ({ catalogue }: Reference, product: string) =>
  [...catalogue.operations.values()].filter((operation) => operation.product === product);

/**
 * The table of contents: products with their operations, then events, errors and resources. On small screens it is a popover, which
 * needs no script.
 */
export function navigation(reference: Reference, resources: Iterable<string>): Markup {
  const { catalogue } = reference;
  return html`<nav id="contents" popover="auto" aria-label="Contents">
    <ul>
      <li><a href="#start">Introduction</a></li>
    </ul>
    ${[...catalogue.products.keys()].map((product) =>
      group(
        product,
        productAnchor(product),
        operationsOf(reference, product).map(({ name }) => [name, name]),
        true,
      ),
    )}
    ${group(
      'Events',
      'events',
      [...catalogue.events.keys()].map((name) => [eventAnchor(name), name]),
    )}
    ${group(
      'Errors',
      'errors',
      answeredCodes(catalogue).map((code) => [errorAnchor(code), code]),
    )}
    ${group(
      'Resources',
      'resources',
      [...resources].map((name) => [resourceAnchor(name), name]),
    )}
  </nav>`;
}

/** Allows line breaks at the dots of long names. */
const breakable = (name: string): Markup =>
  name.split('.').map((part, index) => (index === 0 ? part : ['.', html`<wbr />`, part]));

function group(title: string, anchor: string, entries: readonly (readonly [string, string])[], open = false): Markup {
  if (entries.length === 0) return undefined;
  return html`<details open=${open}>
    <summary>${title} <span class="count">${entries.length}</span></summary>
    <ul>
      <li><a href=${`#${anchor}`}>Overview</a></li>
      ${entries.map(([to, name]) => html`<li><a href=${`#${to}`}>${breakable(name)}</a></li>`)}
    </ul>
  </details>`;
}
