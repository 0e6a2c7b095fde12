import { html, type Markup } from './html.js';

/** Marks of a row in a list, such as `Test`. */
export const badges = (labels: readonly string[]): Markup[] =>
  labels.map((label) => html`<span class="badge">${label}</span>${' '}`);
