import { families, operatorsOf, partsOf } from '#core/surfaces/console/kit/index.js';
import { toBuilder, type Group, type Rule } from './definition.js';

const joins = { all: ' and ', any: ' or ', none: ' or ' } as const;

function words(node: Rule | Group): string {
  if (node.is === 'group') {
    const text = node.of
      .map((child) => (child.is === 'group' && child.of.length > 1 ? `(${words(child)})` : words(child)))
      .join(joins[node.join]);
    return node.join === 'none' ? `not (${text})` : text;
  }
  const { family, name } = partsOf(node.field);
  const kind = families.find(({ value }) => value === family)?.text ?? family;
  const subject = family === 'properties' ? name : name === '' ? kind : `${kind} ${name}`;
  const operator = operatorsOf(family).find(({ value }) => value === node.op)?.text ?? node.op;
  const value = Array.isArray(node.value)
    ? node.value.map(String).join(', ')
    : node.value === undefined
      ? ''
      : JSON.stringify(node.value).replaceAll('"', '');
  return node.op === 'within_days'
    ? `${subject} within the last ${value} days`
    : `${subject} ${operator} ${value}`.trim();
}

/** A definition in words; as JSON if the builder cannot show it. */
export function described(definition: unknown): string {
  const tree = toBuilder(definition);
  return tree ? words(tree) : JSON.stringify(definition);
}
