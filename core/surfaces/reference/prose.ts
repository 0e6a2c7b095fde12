import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { html, type Markup } from '../pages/html.js';
import { operationLink } from './anchors.js';

/** Renders a description as markup. */
export type Prose = (text: string) => Markup;

/** Matches `code` in backquotes, {placeholders} of errors, and words with dots, which may be an operation's name. */
const marked = /(`[^`]+`|(?<!\{)\{\w+\}(?!\})|\b[a-z]\w*(?:\.[a-z]\w*)+)/;

/** Creates a renderer that links the names of this catalogue's operations. */
export function proseOf(catalogue: Catalogue): Prose {
  const name = (text: string): Markup =>
    catalogue.operations.has(text) ? html`<a href=${operationLink(text)}><code>${text}</code></a>` : undefined;
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
