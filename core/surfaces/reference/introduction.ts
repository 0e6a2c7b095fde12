import type { Catalogue } from '#core/kernel/catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { chapterAnchor, productLink } from './anchors.js';
import { curlExample, keyVariable, publishableVariable } from './examples/curl.js';
import { jsonText } from './examples/literal.js';
import { code, exampleActivity } from './forms.js';
import { impactLabel, impactTexts, type Reference } from './operation.js';
import { requiredNames } from './schema-text.js';

/** How calls authenticate. Publishable keys are mentioned only where an operation takes one. */
function keysText({ operations }: Catalogue): string {
  const takesPublishable = [...operations.values()].some(({ access }) => access === 'publishable' || access === 'user');
  return [
    'Send `Authorization: Bearer …`. A secret key belongs on servers and has the permissions that were chosen for it.',
    ...(takesPublishable ? ['A publishable key can be used in browsers and apps, and has only `auth:public`.'] : []),
    'Each key belongs to one environment, live or test.',
    takesPublishable
      ? `The examples read the keys from \`${keyVariable}\` and \`${publishableVariable}\`.`
      : `The examples read the key from \`${keyVariable}\`.`,
  ].join(' ');
}

/** One of the rules that hold for every operation. */
interface Chapter {
  title: string;
  text: string;
}

/** The chapters of the introduction, as the contents list them. */
export const chaptersOf = (catalogue: Catalogue): Chapter[] => [
  { title: 'Keys', text: keysText(catalogue) },
  ...chapters,
];

const chapters: readonly Chapter[] = [
  {
    title: 'Responses',
    text:
      'Success is status 200 with `result` and `activityId`, the id of the audit record that the call wrote (empty for reads). Any other ' +
      'status is an error with a `code` to branch on and a `fix` that names the next step. Times are RFC 3339 in UTC. Unknown input ' +
      'fields are an error; responses may gain fields.',
  },
  {
    title: 'Retries',
    text:
      'Send `Idempotency-Key: …`, up to 255 characters of your choice, with every write that you may retry. For 24 hours, the same key with ' +
      'the same input returns the first response, marked `Idempotent-Replayed: true`; with different input it is an error. A call that ' +
      'failed leaves the key unused.',
  },
  {
    title: 'Lists',
    text: 'Newest first. Pass the response’s `nextBefore` as `before` to get the next page; it is null on the last page.',
  },
  {
    title: 'Limits',
    text:
      'A key can make 600 calls a minute. Beyond that the status is 429, and `Retry-After` is the number of seconds to wait. Further ' +
      'limits are listed with their operations.',
  },
];

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

/** The rules that hold for every operation. */
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
        ${[...catalogue.products].map(([product, summary]) => html`<li><a href=${productLink(product)}>${product}</a> ${prose(summary)}</li>`)}
      </ul>
      ${chaptersOf(catalogue).map(({ title, text }) => [minor(title), html`<p>${prose(text)}</p>`])} ${minor('Labels')}
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
      ${first !== undefined && [minor('First call'), code('First call', curlExample(first, baseUrl))]}
      ${minor('Response')} ${code('Response', jsonText({ activityId: exampleActivity, result: { '…': '…' } }))}
      ${minor('Error')} ${code('Error', jsonText(exampleError))}
    </div>
  </section>`;
}
