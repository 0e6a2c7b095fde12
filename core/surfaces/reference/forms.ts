import type { Operation } from '#core/kernel/operation.js';
import { html, type Markup } from '../pages/html.js';
import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import {
  cliExample,
  curlExample,
  jsonText,
  mcpExample,
  pythonExample,
  sdkExample,
  type NamedKeys,
} from './examples.js';
import { goInputsOf } from '../sdk-go/generate/inputs.js';
import { goExample } from './go-example.js';
import { highlighted } from './highlight.js';

/** The audit record's id in examples. */
export const exampleActivity = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A block of code that can be focused and scrolled with the keyboard. @param language as in Markdown: `ts`, `sh` */
export const code = (label: string, text: string, language: string): Markup =>
  html`<pre
    tabindex="0"
    role="group"
    aria-label=${label}
  ><code dangerouslySetInnerHTML=${{ __html: highlighted(text, language) }} /></pre>`;

/** One form of the same code. */
export interface CodeForm {
  /** The choice that is remembered for all examples, such as `curl`. */
  readonly key: string;
  readonly title: string;
  readonly language: string;
  readonly text: string;
}

/**
 * Forms of the same code as tabs. Radio buttons choose the visible one, without a script.
 * @param id unique on the page
 * @param label what the code does: `How to call email.send`
 */
export const codeTabs = (id: string, label: string, forms: readonly CodeForm[]): Markup =>
  html`<fieldset class="forms">
    <legend class="unseen">${label}</legend>
    ${forms.map(
      ({ key, title }, index) =>
        html`<input type="radio" name=${`call/${id}`} value=${key} id=${`${id}/${key}`} checked=${index === 0} /><label
            for=${`${id}/${key}`}
            >${title}</label
          >`,
    )}
    ${forms.map(({ title, text, language }) => code(`${label}: ${title}`, text, language))}
  </fieldset>`;

/** The keys that a schema names, in all of its alternatives. */
export function keysOf(schema: JsonSchema): NamedKeys {
  const { items, anyOf, oneOf, additionalProperties } = schema;
  const alternatives = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each.filter(isSchema) : [])).map(keysOf);
  const fields = alternatives.flatMap((each) => Object.entries(each.fields ?? {}));
  for (const [name, each] of Object.entries(propertiesOf(schema))) fields.push([name, keysOf(each)]);
  const of = isSchema(items) ? items : isSchema(additionalProperties) ? additionalProperties : undefined;
  const inner = of ? keysOf(of) : alternatives.find((each) => each.items)?.items;
  return { fields: Object.fromEntries(fields), ...(inner && { items: inner }) };
}

/** The operation's example for every surface. */
export const requestForms = (operation: Operation, baseUrl: string): Markup =>
  codeTabs(operation.name, `How to call ${operation.name}`, [
    { key: 'curl', title: 'curl', language: 'sh', text: curlExample(operation, baseUrl) },
    { key: 'ts', title: 'TypeScript', language: 'ts', text: sdkExample(operation) },
    { key: 'python', title: 'Python', language: 'py', text: pythonExample(operation, keysOf(operation.input).fields) },
    { key: 'go', title: 'Go', language: 'go', text: goExample(operation, goInputsOf([operation])) },
    { key: 'cli', title: 'CLI', language: 'sh', text: cliExample(operation) },
    { key: 'mcp', title: 'MCP', language: 'json', text: mcpExample(operation) },
  ]);

/** The response to the example. */
export const replyExample = ({ name, impact, example }: Operation): Markup =>
  html`<div class="reply">
    <h3>Response</h3>
    ${code(`Response of ${name}`, jsonText({ activityId: impact.read ? '' : exampleActivity, result: example.output }), 'json')}
  </div>`;
