import type { JsonSchema } from '#core/kernel/schema/schema.js';
import { html, type Markup } from '../pages/html.js';
import { resourceLink } from './anchors.js';
import { fieldRows, objectRules, type FieldRow } from './fields.js';
import type { Prose } from './prose.js';
import { describeType, type TypeText } from './schema-text.js';

/** Fields of an input or of a response; in a response, only optional fields are marked. */
type Direction = 'input' | 'response';

/** A type's description with links to resources. */
const typeMarkup = (type: TypeText): Markup =>
  type.map((part) =>
    typeof part === 'string' ? part : html`<a href=${resourceLink(part.resource)}>${part.resource}</a>`,
  );

function presence({ presence: kind, defaultJson }: FieldRow, direction: Direction): Markup {
  if (direction === 'response') return kind === 'required' ? undefined : html`<i>may be absent</i>`;
  if (kind === 'required') return html`<b>required</b>`;
  return kind === 'defaulted' ? html`<i>default <code>${defaultJson}</code></i>` : html`<i>optional</i>`;
}

/* Spaces are list items: the template would drop them at line ends. */
const typeLine = (field: FieldRow, direction: Direction, prose: Prose): Markup => [
  typeMarkup(field.type),
  field.values.map((value) => [' ', html`<code>${value}</code>`]),
  field.bounds.map((bound) => [', ', prose(bound)]),
  ' ',
  presence(field, direction),
];

const row = (field: FieldRow, direction: Direction, prose: Prose): Markup =>
  html`<tr class=${`d${field.depth}`}>
    <th scope="row"><code>${field.name}</code></th>
    <td>
      <p>${typeLine(field, direction, prose)}</p>
      ${field.description !== undefined && html`<p>${prose(field.description)}</p>`}
    </td>
  </tr>`;

/** The fields of an object as a table; for resources and other values their type. */
export function fieldTable(caption: string, schema: JsonSchema, direction: Direction, prose: Prose): Markup {
  const type = describeType(schema);
  if (type.some((part) => typeof part !== 'string')) return html`<p>${typeMarkup(type)}</p>`;
  return objectTable(caption, schema, direction, prose);
}

/** The table of a resource's own section. */
export function objectTable(caption: string, schema: JsonSchema, direction: Direction, prose: Prose): Markup {
  const rows = fieldRows(schema);
  if (rows.length === 0) {
    const { type, properties } = schema;
    if (type === 'object' && properties !== undefined) return html`<p class="none">No fields: <code>{}</code></p>`;
    return html`<p>${typeMarkup(describeType(schema))}</p>`;
  }
  return [
    objectRules(schema).map((rule) => html`<p>${prose(rule)}</p>`),
    html`<table aria-label=${caption}>
      <tbody>
        ${rows.map((each) => row(each, direction, prose))}
      </tbody>
    </table>`,
  ];
}
