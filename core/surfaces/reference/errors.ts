import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { html, type Markup } from '../pages/html.js';
import { errorAnchor, errorLink } from './anchors.js';
import { operationLinks } from './events.js';
import { statusMark, type Reference } from './operation.js';

const lead =
  'Branch on `code`, which is stable; the texts may change. Responses replace each {placeholder} with a value. `fix` is the next step. ' +
  'A call that failed has changed nothing, unless its message says otherwise.';

/** Returned at addresses that are not an operation of this deployment. */
const codesOfAddresses = ['unknown_operation', 'method_not_allowed', 'product_disabled'];

/**
 * The codes that a call of this deployment can return, by name. Codes of features without an operation here are left
 * out.
 */
export const answeredCodes = (catalogue: Catalogue): string[] =>
  [
    ...new Set([...codesOfAddresses, ...[...catalogue.operations.values()].flatMap((each) => catalogue.codesOf(each))]),
  ].sort((a, b) => a.localeCompare(b, 'en'));

/** Every error code that this deployment can answer, by status. */
export function errorSections(reference: Reference): Markup {
  const { catalogue } = reference;
  const listed = new Map<string, string[]>();
  for (const operation of catalogue.operations.values())
    for (const code of operation.errors) listed.set(code, [...(listed.get(code) ?? []), operation.name]);
  const statusOf = (code: string): number => catalogue.errors[code]?.status ?? 500;
  return html`<section class="group">
    <h1>Errors</h1>
    <div class="lead"><p>${reference.prose(lead)}</p></div>
    ${answeredCodes(catalogue)
      .sort((a, b) => statusOf(a) - statusOf(b))
      .map((code) => errorSection(code, listed.get(code) ?? [], reference))}
  </section>`;
}

function errorSection(code: string, operations: readonly string[], { catalogue, prose }: Reference): Markup {
  const { status = 500, message = '', fix = '' } = catalogue.errors[code] ?? {};
  return html`<section class="entry error" id=${errorAnchor(code)}>
    <h2>${statusMark(status)}<a href=${errorLink(code)}>${code}</a></h2>
    <p class="summary">${prose(message)}</p>
    <p>${[html`<b>Fix</b>`, ' ', prose(fix)]}</p>
    ${operations.length > 0 && html`<p class="by">${['Used by ', operationLinks(operations)]}</p>`}
  </section>`;
}
