import type { Operation } from '#core/kernel/operation.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { cliExample } from './examples/cli.js';
import { curlExample } from './examples/curl.js';
import { jsonText } from './examples/literal.js';
import { mcpExample } from './examples/mcp.js';
import { sdkExample } from './examples/sdk.js';

/** The audit record of every example's call. */
export const exampleActivity = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A block of code that can be reached and scrolled with the keyboard. */
export const code = (label: string, text: string): Markup =>
  html`<pre tabindex="0" role="group" aria-label=${label}><code>${text}</code></pre>`;

/** The example of an operation in every form that a call can have, one of them in sight: radio buttons choose without a script. */
export function requestForms(operation: Operation, baseUrl: string): Markup {
  const { name } = operation;
  const forms = [
    { key: 'curl', title: 'curl', text: curlExample(operation, baseUrl) },
    { key: 'sdk', title: 'SDK', text: sdkExample(operation) },
    { key: 'cli', title: 'CLI', text: cliExample(operation) },
    { key: 'mcp', title: 'MCP', text: mcpExample(operation) },
  ].flatMap(({ text, ...form }) => (text === undefined ? [] : [{ ...form, text }]));
  return html`<fieldset class="forms">
    <legend class="unseen">How to call ${name}</legend>
    ${forms.map(
      ({ key, title }, index) =>
        html`<input
            type="radio"
            name=${`call/${name}`}
            value=${key}
            id=${`${name}/${key}`}
            checked=${index === 0}
          /><label for=${`${name}/${key}`}>${title}</label>`,
    )}
    ${forms.map(({ title, text }) => code(`${name} with ${title}`, text))}
  </fieldset>`;
}

/** What a call of the example answers. */
export const replyExample = ({ name, impact, example }: Operation): Markup =>
  html`<div class="reply">
    <h4>Answer</h4>
    ${code(`Answer of ${name}`, jsonText({ activityId: impact.read ? '' : exampleActivity, result: example.output }))}
  </div>`;
