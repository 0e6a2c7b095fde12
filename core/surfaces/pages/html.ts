import { html as template } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Anything that can stand inside markup. A string is text, never markup. */
export type Markup = ComponentChildren;

/**
 * Markup with one root, as a tagged template. Every value that is put in is escaped, as text and as attribute; an
 * attribute that is null, undefined or false is left out.
 */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode = template;

/** The markup as text, as it goes into a document. */
export const markupText = (markup: VNode): string => renderToString(markup);
