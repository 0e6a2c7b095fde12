import { html as template } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Content of an element. A string is text and gets escaped. */
export type Markup = ComponentChildren;

/**
 * Markup with one root element, as a tagged template. Interpolated values are escaped, in text and in attributes;
 * attributes that are null, undefined or false are omitted.
 */
export const html: (strings: TemplateStringsArray, ...values: readonly unknown[]) => VNode = template;

/** Renders markup to text. */
export const markupText = (markup: VNode): string => renderToString(markup);
