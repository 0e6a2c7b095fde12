import type { Operation } from '#core/kernel/operation.js';
import { html, type Markup } from '../pages/html.js';
import { cliExample, curlExample, jsonText, mcpExample, sdkExample } from './examples.js';

/** The audit record's id in examples. */
export const exampleActivity = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A block of code that can be focused and scrolled with the keyboard. */
export const code = (label: string, text: string): Markup =>
  html`<pre tabindex="0" role="group" aria-label=${label}><code>${text}</code></pre>`;

/** The operation's example for every surface. Radio buttons choose the visible one, without a script. */
export function requestForms(operation: Operation, baseUrl: string): Markup {
  const { name } = operation;
  const forms = [
    { key: 'curl', title: 'curl', text: curlExample(operation, baseUrl) },
    { key: 'sdk', title: 'SDK', text: sdkExample(operation) },
    { key: 'cli', title: 'CLI', text: cliExample(operation) },
    { key: 'mcp', title: 'MCP', text: mcpExample(operation) },
  ];
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

/** The response to the example. */
export const replyExample = ({ name, impact, example }: Operation): Markup =>
  html`<div class="reply">
    <h3>Response</h3>
    ${code(`Response of ${name}`, jsonText({ activityId: impact.read ? '' : exampleActivity, result: example.output }))}
  </div>`;
