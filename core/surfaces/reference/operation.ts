import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { pathOf, permissionOf, testRefusal, type Access, type Operation } from '#core/kernel/operation.js';
import { ageText } from '../answer-age.js';
import { html, markupText, type Markup } from '../pages/html.js';
import { errorLink, eventLink, operationLink, productLink } from './anchors.js';
import { fieldTable } from './field-table.js';
import { replyExample, requestForms } from './forms.js';
import type { Prose } from './prose.js';

/** The input of every section. */
export interface Reference {
  readonly catalogue: Catalogue;
  readonly baseUrl: string;
  readonly prose: Prose;
  /**
   * Errors that all operations of a kind share, as rendered markup. Rendering them per operation would take a quarter
   * of the time.
   */
  readonly sharedCodes: (besideOwn: boolean, codes: readonly string[]) => string;
}

const accessTexts: Readonly<Record<Access, string>> = {
  secret: 'Secret key',
  publishable: 'Publishable key',
  user: 'Publishable key and the user’s access token',
  public: 'No key',
  operator: 'Live secret key of the deployment’s own account, with an owner’s role',
};

const testTexts = {
  keys: 'Refused for keys of test environments: live_only.',
  everyone: 'Refused in test environments: live_only.',
} as const;

/** The operations of a product, in the order in which it lists them. */
export const operationsOf = ({ operations }: Catalogue, product: string): Operation[] =>
  [...operations.values()].filter((operation) => operation.product === product);

/** Explanations of the labels. */
export const impactTexts = {
  read: 'Changes nothing.',
  destructive: 'Removes something that cannot be restored automatically.',
  retrySafe: 'A repeat leaves the same state and succeeds.',
  billable: 'May cost money.',
} as const;

const impactLabels = {
  read: 'read',
  destructive: 'destructive',
  retrySafe: 'retry-safe',
  billable: 'billable',
} as const;

/** The label of an impact flag. */
export const impactLabel = (flag: keyof typeof impactTexts): Markup =>
  html`<span class=${`label ${flag}`}>${impactLabels[flag]}</span>`;

const flags = ['read', 'destructive', 'retrySafe', 'billable'] as const;

const size = (bytes: number): string =>
  bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : `${Math.round(bytes / 1024)} KiB`;

/** The section of an operation, rendered: a product's page is put together from these. */
export function operationSection(operation: Operation, reference: Reference): string {
  const { name, summary, description, impact, input, output } = operation;
  const { prose, catalogue, baseUrl } = reference;
  return markupText(
    html`<section class="entry operation" id=${name}>
      <div class="facts">
        <h2><a href=${operationLink(name)}>${name}</a></h2>
        <p class="path"><code>POST ${pathOf(name)}</code>${flags.filter((flag) => impact[flag]).map(impactLabel)}</p>
        <p class="summary">${prose(summary)}</p>
        ${description !== undefined && html`<p>${prose(description)}</p>`} ${terms(operation, prose)}
        <h3>Input</h3>
        ${fieldTable(`Input of ${name}`, input, 'input', prose)}
        <h3>Result</h3>
        ${fieldTable(`Result of ${name}`, output, 'response', prose)} ${eventList(operation, catalogue)}
        ${errorList(operation, reference)}
      </div>
      <div class="examples">${requestForms(operation, baseUrl)} ${replyExample(operation)}</div>
    </section>`,
  );
}

function terms(operation: Operation, prose: Prose): Markup {
  const { access, requires, limits = [], bodyLimit, showsSecret, replaySeconds, accountWide, ownerOnly } = operation;
  const permission = permissionOf(operation);
  const refusedInTest = testRefusal(operation);
  const age = ageText(operation);
  const lines: [string, Markup][] = [
    ['Access', [accessTexts[access], permission !== null && [' with ', html`<code>${permission}</code>`]]],
    ...(requires === undefined
      ? []
      : [
          ['Requires', ['the product ', html`<a href=${productLink(requires)}>${requires}</a>`]] satisfies [
            string,
            Markup,
          ],
        ]),
    ...limits.map(({ description }): [string, Markup] => ['Limit', description]),
    ...(bodyLimit === undefined ? [] : [['Body', `up to ${size(bodyLimit)}`] satisfies [string, Markup]]),
    ...(showsSecret === undefined
      ? []
      : [['Secret', 'Shown once in the response. Store it.'] satisfies [string, Markup]]),
    ...(replaySeconds === undefined
      ? []
      : [['Repeats', `Get the stored answer for ${replaySeconds} seconds.`] satisfies [string, Markup]]),
    ...(ownerOnly === true ? [['Role', 'owner'] satisfies [string, Markup]] : []),
    ...(accountWide === true ? [['Scope', 'the whole account'] satisfies [string, Markup]] : []),
    ...(age === undefined ? [] : [['Age', prose(age)] satisfies [string, Markup]]),
    ...(refusedInTest === null ? [] : [['Test', testTexts[refusedInTest]] satisfies [string, Markup]]),
  ];
  return html`<dl class="terms">
    ${lines.map(
      ([term, text]) =>
        html`<div>
          <dt>${term}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`;
}

function eventList(operation: Operation, catalogue: Catalogue): Markup {
  const names = catalogue.eventsOf(operation);
  if (names.length === 0) return undefined;
  return [
    html`<h3>Events</h3>`,
    html`<ul class="names">
      ${names.map(
        (name) =>
          html`<li>
            <a href=${eventLink(name)}><code>${name}</code></a>
          </li>`,
      )}
    </ul>`,
  ];
}

const codeLink = (code: string): Markup => html`<a href=${errorLink(code)}><code>${code}</code></a>`;

/** An HTTP status with a space after it. */
export const statusMark = (status: number): Markup => [html`<span class="status">${status}</span>`, ' '];

/** The operation's own errors with their texts; shared errors by code only. */
function errorList(operation: Operation, { catalogue, prose, sharedCodes }: Reference): Markup {
  const own: readonly string[] = operation.errors;
  const shared = catalogue.codesOf(operation).filter((code) => !own.includes(code));
  return [
    html`<h3>Errors</h3>`,
    own.length > 0 &&
      html`<dl class="codes">
        ${own.map((code) => {
          const { status = 500, message = '', fix = '' } = catalogue.errors[code] ?? {};
          return html`<div>
            <dt>${statusMark(status)}${codeLink(code)}</dt>
            <dd>${[prose(message), ' ', html`<span class="fix">${prose(fix)}</span>`]}</dd>
          </div>`;
        })}
      </dl>`,
    html`<div dangerouslySetInnerHTML=${{ __html: sharedCodes(own.length > 0, shared) }} />`,
  ];
}

/** Renders the shared errors of each kind of operation once. */
export function sharedCodesOf(catalogue: Catalogue): Reference['sharedCodes'] {
  const rendered = new Map<string, string>();
  return (besideOwn, codes) => {
    const key = `${besideOwn} ${codes.join(' ')}`;
    const known = rendered.get(key);
    if (known !== undefined) return known;
    const rendering = markupText(
      html`<details class="shared">
        <summary>${`${codes.length} ${besideOwn ? 'more ' : ''}errors shared by all operations of this kind`}</summary>
        <ul class="names">
          ${codes.map((code) => html`<li>${statusMark(catalogue.errors[code]?.status ?? 500)}${codeLink(code)}</li>`)}
        </ul>
      </details>`,
    );
    rendered.set(key, rendering);
    return rendering;
  };
}
