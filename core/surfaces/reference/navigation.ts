import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import type { JsonSchema } from '#core/kernel/schema/schema.js';
import { productTitle } from '../names.js';
import { html, type Markup } from '../pages/html.js';
import {
  chapterLink,
  errorLink,
  eventLink,
  operationLink,
  productLink,
  referenceRoot,
  resourceLink,
  sharedPages,
} from './anchors.js';
import { chaptersOf } from './chapters.js';
import { answeredCodes } from './errors.js';
import type { Reference } from './operation.js';

/** The operations of a product, in the order in which it lists them. */
export const operationsOf = ({ operations }: Catalogue, product: string): Operation[] =>
  [...operations.values()].filter((operation) => operation.product === product);

/** An entry of the contents. The search looks at its name and summary, and at additional words for it. */
type Entry = readonly [name: string, link: string, summary: string, keywords?: string | undefined];

/**
 * The table of contents of all pages: the introduction, products with their operations, then events, errors and
 * resources. The group of the current page is open. On small screens it is a popover, which needs no script.
 */
export function navigation(reference: Reference, path: string, resources: ReadonlyMap<string, JsonSchema>): Markup {
  const { catalogue } = reference;
  const group = (title: string, page: string, entries: readonly Entry[]): Markup =>
    entries.length > 0 &&
    html`<details open=${page === path}>
      <summary>${title} <span class="count">${entries.length}</span></summary>
      <ul>
        <li><a href=${page} aria-current=${page === path ? 'page' : undefined}>Overview</a></li>
        ${entries.map(([name, link, summary, keywords]) => html`<li><a href=${link} data-about=${summary.replaceAll('`', '')} data-words=${keywords}>${breakable(name)}</a></li>`)}
      </ul>
    </details>`;
  return html`<nav id="contents" popover="auto" aria-label="Contents">
    ${group(
      'Introduction',
      referenceRoot,
      chaptersOf(catalogue).map(({ title, paragraphs }): Entry => [title, chapterLink(title), paragraphs.join(' ')]),
    )}
    ${[...catalogue.products.keys()].map((product) =>
      group(
        productTitle(product),
        productLink(product),
        operationsOf(catalogue, product).map(({ name, summary, keywords }): Entry => [
          name,
          operationLink(name),
          summary,
          keywords,
        ]),
      ),
    )}
    ${group(
      'Events',
      sharedPages.events,
      [...catalogue.events].map(([name, { summary }]): Entry => [name, eventLink(name), summary]),
    )}
    ${group(
      'Errors',
      sharedPages.errors,
      answeredCodes(catalogue).map((code): Entry => [code, errorLink(code), catalogue.errors[code]?.message ?? '']),
    )}
    ${group(
      'Resources',
      sharedPages.resources,
      [...resources].map(([name, { description }]): Entry => [
        name,
        resourceLink(name),
        typeof description === 'string' ? description : '',
      ]),
    )}
  </nav>`;
}

/** Allows line breaks at the dots of long names. */
const breakable = (name: string): Markup =>
  name.split('.').map((part, index) => (index === 0 ? part : ['.', html`<wbr />`, part]));
