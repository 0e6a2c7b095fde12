import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { passes, type ErrorDeclaration } from '#core/kernel/errors/errors.js';
import { html, type Markup } from '../pages/html.js';
import { chapterLink, errorAnchor, errorLink, sharedPages } from './anchors.js';
import { operationLinks } from './events.js';
import { jsonText } from './examples.js';
import { code as codeBlock, exampleActivity } from './forms.js';
import { statusMark, type Reference } from './operation.js';

const lead =
  'Branch on `code`, which is stable; the texts may change. Responses replace each {placeholder} with a value. `fix` is the next step. ' +
  'A call that failed has changed nothing, unless its message says otherwise.';

/** The codes of this deployment, by name. */
export const errorCodes = ({ enabledErrors }: Catalogue): string[] =>
  Object.keys(enabledErrors).sort((a, b) => a.localeCompare(b, 'en'));

/** Every error code of this deployment, by status. */
export function errorSections({ catalogue, prose }: Reference): Markup {
  const statusOf = (code: string): number => catalogue.enabledErrors[code]?.status ?? 500;
  return html`<section class="group">
    <h1>Errors</h1>
    <div class="lead"><p>${prose(lead)}</p></div>
    ${errorCodes(catalogue)
      .sort((a, b) => statusOf(a) - statusOf(b))
      .map(
        (code) =>
          html`<section class="entry error" id=${errorAnchor(code)}>
            <h2>${statusMark(statusOf(code))}<a href=${errorLink(code)}>${code}</a></h2>
            <p class="summary">${prose(catalogue.enabledErrors[code]?.message ?? '')}</p>
          </section>`,
      )}
  </section>`;
}

/** Whether to repeat the call (chapter Retries). */
function repeatText(declaration: ErrorDeclaration): string {
  if (passes(declaration))
    return 'Repeat the call with the same `Idempotency-Key`. Wait as long as `Retry-After` or `fix` says; otherwise start with one second and double it each time.';
  if (declaration.status >= 500)
    return 'Do not repeat the call at once: the error stays until its cause, which `fix` names, is gone.';
  return 'Do not repeat the call unchanged: the error stays the same until its input or the state changes.';
}

/** A part of a document that mentions something. */
export interface Mention {
  readonly path: string;
  /** The document's title and the heading. */
  readonly title: string;
}

/** The page of one code: what it means, how to fix it, and which operations can return it. */
export function errorPage(code: string, mentions: readonly Mention[], { catalogue, prose }: Reference): Markup {
  const declaration = catalogue.enabledErrors[code] ?? { status: 500, message: '', fix: '' };
  const { status, message, fix } = declaration;
  const calls = [...catalogue.operations.values()];
  const own = calls.filter((operation) => operation.errors.some((each) => each === code));
  const all = calls.filter((operation) => catalogue.codesOf(operation).includes(code));
  return html`<section class="group">
    <p class="up"><a href=${sharedPages.errors}>Errors</a></p>
    <h1><code>${code}</code></h1>
    <p class="path">HTTP status ${status}</p>
    <h2 id="meaning">What it means</h2>
    <p>${prose(message)}</p>
    <h2 id="fix">How to fix it</h2>
    <p>${prose(fix)}</p>
    <h2 id="repeat">Repeating the call</h2>
    <p>${prose(repeatText(declaration))} See <a href=${chapterLink('Retries')}>Retries</a>.</p>
    ${
      mentions.length > 0 && [
        html`<h2 id="read">Read more</h2>`,
        html`<ul class="mentions">
          ${mentions.map(({ path, title }) => html`<li><a href=${path}>${title}</a></li>`)}
        </ul>`,
      ]
    }
    <h2 id="answer">The response</h2>
    ${codeBlock(`Response with ${code}`, jsonText({ error: { code, message, fix, requestId: exampleActivity } }), 'json')}
    <h2 id="operations">Operations that can return it</h2>
    ${operationsPart(
      calls.length,
      own.map(({ name }) => name),
      all.map(({ name }) => name),
    )}
  </section>`;
}

/** @param own operations that list the code; @param all those and the ones whose kind shares it */
function operationsPart(total: number, own: readonly string[], all: readonly string[]): Markup {
  if (all.length === total) return html`<p>Every operation.</p>`;
  if (all.length === 0) return html`<p>None. Pages, callbacks and addresses without an operation return it.</p>`;
  const list = (names: readonly string[]): Markup => html`<p class="by">${operationLinks(names)}</p>`;
  if (all.length === own.length) return list(own);
  return [
    own.length > 0 && list(own),
    html`<details class="shared">
      <summary>
        ${`${all.length - own.length} ${own.length > 0 ? 'more ' : ''}operations, whose kind shares it`}
      </summary>
      ${list(all.filter((name) => !own.includes(name)))}
    </details>`,
  ];
}
