import type { JsonSchema } from '#core/kernel/schema/schema.js';
import { html, type Markup } from '#core/surfaces/pages/html.js';
import { resourceAnchor } from './anchors.js';
import { fieldRows, objectRules, type FieldRow } from './fields.js';
import type { Prose } from './prose.js';
import { describeType, type TypeText } from './schema-text.js';

/** Fields that a caller sends, or that an answer holds: of the latter only those that may be missing are worth a word. */
export type Direction = 'sent' | 'answered';

/** A type in words, its resources as links. */
export const typeMarkup = (type: TypeText): Markup =>
  type.map((part) =>
    typeof part === 'string' ? part : html`<a href=${`#${resourceAnchor(part.resource)}`}>${part.resource}</a>`,
  );

function presence({ presence: said, fallback }: FieldRow, direction: Direction): Markup {
  if (direction === 'answered') return said === 'required' ? undefined : html`<i>may be absent</i>`;
  if (said === 'required') return html`<b>required</b>`;
  return said === 'defaulted' ? html`<i>default <code>${fallback}</code></i>` : html`<i>optional</i>`;
}

/* Spaces stand in lists of values: at the end of a line the template drops them. */
const typeLine = (field: FieldRow, direction: Direction, prose: Prose): Markup => [
  typeMarkup(field.type),
  field.values.map((value) => [' ', html`<code>${value}</code>`]),
  field.bounds.map((words) => [', ', prose(words)]),
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

/** The fields of an object as a table; its type in words where it is a resource or no object. */
export function fieldTable(caption: string, schema: JsonSchema, direction: Direction, prose: Prose): Markup {
  const type = describeType(schema);
  if (type.some((part) => typeof part !== 'string')) return html`<p>${typeMarkup(type)}</p>`;
  return objectTable(caption, schema, direction, prose);
}

/** The same for a resource at the place where it is described. */
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
