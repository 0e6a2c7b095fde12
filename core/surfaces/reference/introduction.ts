import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { productTitle } from '../names.js';
import { html, type Markup } from '../pages/html.js';
import { chapterAnchor, productLink } from './anchors.js';
import { chaptersOf } from './chapters.js';
import { curlExample, jsonText } from './examples.js';
import { code, exampleActivity } from './forms.js';
import { impactLabel, impactTexts, type Reference } from './operation.js';
import { requiredNames } from './schema-text.js';

const exampleError = {
  error: {
    code: 'invalid_input',
    message: 'The field “subject” is required.',
    fix: 'Add “subject”. The operation’s input is described at /openapi.json.',
    requestId: '01890a5d-ac96-774b-bcce-b302099a8057',
  },
};

/** A call to try first: it changes nothing and needs no input. */
export const firstCall = ({ operations }: Catalogue): Operation | undefined =>
  [...operations.values()].find(
    ({ access, impact, input }) => access === 'secret' && impact.read && requiredNames(input).length === 0,
  );

/** A heading within the introduction: of the second level, and small. */
const minor = (title: string): Markup => html`<h2 class="minor" id=${chapterAnchor(title)}>${title}</h2>`;

/** The rules that apply to every operation. */
export function introduction({ catalogue, baseUrl, prose }: Reference): Markup {
  const first = firstCall(catalogue);
  const address =
    `Every operation is a POST with a JSON object as its body. Its address is its name with slashes for dots, under \`${baseUrl}\`, with ` +
    'or without `/v1`. The same operations are methods of the SDK, commands of `svc` and tools of the MCP server.';
  return html`<section class="group operation" id="start">
    <div class="facts">
      <h1>API reference</h1>
      <p class="summary">${prose(address)}</p>
      <ul class="products">
        ${[...catalogue.products].map(([product, summary]) => html`<li><a href=${productLink(product)}>${productTitle(product)}</a> ${prose(summary)}</li>`)}
      </ul>
      ${chaptersOf(catalogue).map(({ title, paragraphs, sample }) => [
        minor(title),
        paragraphs.map((text) => html`<p>${prose(text)}</p>`),
        sample !== undefined && code(title, sample, 'js'),
      ])}
      ${minor('Labels')}
      <dl class="terms labels">
        ${(['read', 'destructive', 'retrySafe', 'billable'] as const)
          .filter((flag) => [...catalogue.operations.values()].some(({ impact }) => impact[flag]))
          .map(
            (flag) =>
              html`<div>
                <dt>${impactLabel(flag)}</dt>
                <dd>${impactTexts[flag]}</dd>
              </div>`,
          )}
      </dl>
    </div>
    <div class="examples">
      ${first !== undefined && [minor('First call'), code('First call', curlExample(first, baseUrl), 'sh')]}
      ${minor('Response')} ${code('Response', jsonText({ activityId: exampleActivity, result: { '…': '…' } }), 'json')}
      ${minor('Error')} ${code('Error', jsonText(exampleError), 'json')}
    </div>
  </section>`;
}
