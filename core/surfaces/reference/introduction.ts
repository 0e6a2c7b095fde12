import type { Catalogue } from '#core/kernel/catalogue.js';
import type { Operation } from '#core/kernel/operation.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { curlExample, keyVariable, publishableVariable } from './examples/curl.js';
import { jsonText } from './examples/literal.js';
import { code, exampleActivity } from './forms.js';
import { impactLabel, impactTexts, type Reference } from './operation.js';
import { requiredNames } from './schema-text.js';

const paragraphs: readonly (readonly [string, string])[] = [
  [
    'Keys',
    'Send `Authorization: Bearer …`. A secret key belongs on servers and holds the permissions it was made with; a publishable key may ' +
      'stand in a browser and holds `auth:public` alone. Each belongs to one environment, live or test. The examples read them from ' +
      `\`${keyVariable}\` and \`${publishableVariable}\`.`,
  ],
  [
    'Answers',
    '200 brings `result`, and in `activityId` the id of the audit record that the call wrote, which is empty for reads. Everything else ' +
      'is a refusal with a `code` to branch on and a `fix` that names the next step. Times are RFC 3339 in UTC. Unknown input fields are ' +
      'refused; answers may gain fields.',
  ],
  [
    'Repeats',
    'Send `Idempotency-Key: …`, up to 255 characters of your own, with every write that you may have to repeat. The same key with the ' +
      'same input answers for 24 hours what was answered first, marked `Idempotent-Replayed: true`; with other input it is refused. A ' +
      'refused call leaves the key free.',
  ],
  [
    'Lists',
    'Newest first. Pass the answer’s `nextBefore` as `before` to get the next page; it is null on the last one.',
  ],
  [
    'Limits',
    'A key passes 600 calls in any minute; past that the answer is 429, and `Retry-After` says in how many seconds to come again. ' +
      'Further limits stand with their operations.',
  ],
];

const refusal = {
  error: {
    code: 'invalid_input',
    message: 'The field subject is required.',
    fix: 'Correct subject as the message says.',
    requestId: '01890a5d-ac96-774b-bcce-b302099a8057',
  },
};

/** A call that anybody with a key can try at once: it changes nothing and wants no input. */
const firstCall = ({ operations }: Catalogue): Operation | undefined =>
  [...operations.values()].find(
    ({ access, impact, input }) => access === 'secret' && impact.read && requiredNames(input).length === 0,
  );

/** What holds for every operation: read once. */
export function introduction({ catalogue, baseUrl, prose }: Reference): Markup {
  const first = firstCall(catalogue);
  const address =
    `Every operation is one POST with a JSON object as its body. Its address is its name with dots as slashes, under \`${baseUrl}\`; ` +
    'with `/v1` before it, it is the same call. The same operations are methods of the SDK, commands of `svc` and tools of the MCP server.';
  return html`<section class="group operation" id="start">
    <div class="facts">
      <h1>API reference</h1>
      <p class="summary">${prose(address)}</p>
      ${paragraphs.map(([title, words]) => [html`<h4>${title}</h4>`, html`<p>${prose(words)}</p>`])}
      <h4>Labels</h4>
      <dl class="terms labels">
        ${(['read', 'destructive', 'retrySafe', 'billable'] as const).map(
          (flag) =>
            html`<div>
              <dt>${impactLabel(flag)}</dt>
              <dd>${impactTexts[flag]}</dd>
            </div>`,
        )}
      </dl>
    </div>
    <div class="examples">
      ${first !== undefined && [html`<h4>A first call</h4>`, code('A first call', curlExample(first, baseUrl))]}
      <h4>An answer</h4>
      ${code('An answer', jsonText({ activityId: exampleActivity, result: { '…': '…' } }))}
      <h4>A refusal</h4>
      ${code('A refusal', jsonText(refusal))}
    </div>
  </section>`;
}
