import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { html, type Markup } from '../pages/html.js';
import { errorLink, eventLink, operationLink } from './anchors.js';

/** Renders a description as markup. */
export type Prose = (text: string) => Markup;

/** Matches `code` in backquotes, {placeholders} of errors, and words with dots, which may be an operation's name. */
const marked = /(`[^`]+`|(?<!\{)\{\w+\}(?!\})|\b[a-z]\w*(?:\.[a-z]\w*)+)/;

/**
 * The address of the operation, event or error of this name; undefined if this deployment has none. An event may have
 * the name of an operation: the operation's page then leads to it. Codes of one word are also values of fields.
 */
export function nameLink(catalogue: Catalogue, name: string): string | undefined {
  if (catalogue.operations.has(name)) return operationLink(name);
  if (catalogue.events.has(name)) return eventLink(name);
  return name.includes('_') && Object.hasOwn(catalogue.enabledErrors, name) ? errorLink(name) : undefined;
}

/** Creates a renderer that links the names of this catalogue's operations, events and errors. */
export function proseOf(catalogue: Catalogue): Prose {
  const name = (text: string): Markup => {
    const link = nameLink(catalogue, text);
    return link === undefined ? undefined : html`<a href=${link}><code>${text}</code></a>`;
  };
  return (text) =>
    text.split(marked).map((part) => {
      if (part.length > 2 && part.startsWith('`') && part.endsWith('`')) {
        const inner = part.slice(1, -1);
        return name(inner) ?? html`<code>${inner}</code>`;
      }
      if (/^\{\w+\}$/.test(part)) return html`<var>${part}</var>`;
      return name(part) ?? part;
    });
}
