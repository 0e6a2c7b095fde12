import { html, type Markup } from '#core/surfaces/pages/html.js';
import { errorAnchor } from './anchors.js';
import { operationLinks } from './events.js';
import { statusMark, type Reference } from './operation.js';

const lead =
  'Branch on `code`: it stays. The words may change; each {placeholder} in them is filled in. What to do next stands in `fix`. ' +
  'A refused call has changed nothing, unless its words say so.';

/** Every code that can be answered here, by status: those of the enabled products, and what their operations list of others. */
export function errorSections(reference: Reference): Markup {
  const { catalogue } = reference;
  const listed = new Map<string, string[]>();
  for (const operation of catalogue.operations.values())
    for (const code of operation.errors) listed.set(code, [...(listed.get(code) ?? []), operation.name]);
  const codes = [...new Set([...Object.keys(catalogue.enabledErrors), ...listed.keys()])];
  const statusOf = (code: string): number => catalogue.errors[code]?.status ?? 500;
  return html`<section class="group" id="errors">
    <h2>Errors</h2>
    <div class="lead"><p>${reference.prose(lead)}</p></div>
    ${codes
      .sort((a, b) => statusOf(a) - statusOf(b) || a.localeCompare(b, 'en'))
      .map((code) => errorSection(code, listed.get(code) ?? [], reference))}
  </section>`;
}

function errorSection(code: string, operations: readonly string[], { catalogue, prose }: Reference): Markup {
  const { status = 500, message = '', fix = '' } = catalogue.errors[code] ?? {};
  return html`<section class="entry error" id=${errorAnchor(code)}>
    <h3>${statusMark(status)}<a href=${`#${errorAnchor(code)}`}>${code}</a></h3>
    <p class="summary">${prose(message)}</p>
    <p>${[html`<b>Fix</b>`, ' ', prose(fix)]}</p>
    ${operations.length > 0 && html`<p class="by">${['Answered by ', operationLinks(operations)]}</p>`}
  </section>`;
}
