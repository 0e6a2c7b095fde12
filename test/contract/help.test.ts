import { expect } from 'chai';
import type { Operation } from '#core/kernel/operation.js';
import { columnsOf, isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { operations, plugins } from './support/operations.js';

/** The groups that operation names form: `webhook.delivery` for developers.webhook.delivery.get. */
const groupsOf = (names: readonly string[]): Set<string> =>
  new Set(
    names.flatMap((name) => {
      const words = name.split('.').slice(1, -1);
      return words.map((_, index) => words.slice(0, index + 1).join('.'));
    }),
  );

/** A schema without its null. */
const filled = (schema: JsonSchema): JsonSchema => {
  const forms: unknown = schema['anyOf'];
  const first: unknown = Array.isArray(forms) ? forms[0] : undefined;
  return isSchema(first) ? first : schema;
};

/** The schema at a path in an object's schema: `import.status`; of a list on the path, in its items. */
const at = (schema: JsonSchema, path: string): JsonSchema | undefined =>
  path.split('.').reduce<JsonSchema | undefined>((found, name) => {
    const items = found && filled(found)['items'];
    const next = found && propertiesOf(isSchema(items) ? items : filled(found))[name];
    return isSchema(next) ? next : undefined;
  }, schema);

/** The schema of a list's items, at a path in an object's schema. */
const itemAt = (schema: JsonSchema, path: string): JsonSchema => {
  const items = filled(at(schema, path) ?? {})['items'];
  return isSchema(items) ? items : expect.fail(`There is no list at ${path}.`);
};

/** The name of the reply's list. */
const listOf = (output: JsonSchema): string =>
  Object.keys(propertiesOf(output)).find((field) => filled(at(output, field) ?? {})['items']) ?? '';

const named = (name: string): Operation | undefined => operations.find((operation) => operation.name === name);

describe('What helps people to find their way', () => {
  for (const plugin of plugins)
    it(`in ${plugin.name}: every group of operations says what it is for`, () => {
      const described = Object.entries(plugin.groups ?? {});
      const groups = [...groupsOf(plugin.operations.map(({ name }) => name))];
      const place = `groups in plugins/${plugin.name}/index.ts has a sentence for each of ${groups.join(', ')}`;
      expect(
        described.map(([name]) => name),
        place,
      ).to.have.members(groups);
      for (const [, text] of described) expect(text, place).to.match(/^[A-Z].{10,120}\.$/);
    });

  for (const { name, followUp, output } of operations)
    if (followUp)
      it(`${name} names an operation that exists and can be called again, and fills its required input from the reply`, () => {
        const { operation, input } = followUp;
        const next = named(operation);
        if (!next) throw new Error(`There is no ${operation}.`);
        expect(next.impact.retrySafe).to.equal(true);
        for (const [field, path] of Object.entries(input)) {
          expect(propertiesOf(next.input), operation).to.have.property(field);
          expect(at(output, path), path).to.have.property('type');
        }
      });

  for (const { name, progress, output } of operations)
    if (progress)
      it(`${name} names a status of its reply, and final statuses that it can have`, () => {
        const { status, succeeded, failed, done, total } = progress;
        expect(at(output, status)?.['enum']).to.include.members([...succeeded, ...failed]);
        for (const path of [done, total])
          if (path !== undefined) expect(at(output, path)?.['type']).to.equal('integer');
      });

  for (const { name, progress, output } of operations)
    for (const parts of progress?.parts ?? [])
      it(`${name} names counts of its reply, and operations that exist and show the parts that count as ${parts.failed}`, () => {
        const { failed, succeeded, listedBy, filter, explainedBy, reason } = parts;
        for (const path of [failed, succeeded])
          if (path !== undefined) expect(at(output, path)?.['type']).to.equal('integer');
        const list = named(listedBy.operation) ?? expect.fail(`There is no ${listedBy.operation}.`);
        expect(list.impact.read).to.equal(true);
        for (const field of Object.keys({ ...listedBy.input, ...filter }))
          expect(propertiesOf(list.input), listedBy.operation).to.have.property(field);
        for (const path of Object.values(listedBy.input)) expect(at(output, path), path).to.have.property('type');
        const explaining = explainedBy && named(explainedBy.operation);
        if (explainedBy) expect(explaining?.impact.read, explainedBy.operation).to.equal(true);
        if (reason === undefined) return;
        const item = itemAt(list.output, listOf(list.output));
        for (const path of Object.values(explainedBy?.input ?? {}))
          expect(at(item, path), path).to.have.property('type');
        expect(at(explaining ? explaining.output : item, reason), reason).to.not.equal(undefined);
      });

  for (const { name, joined, output } of operations)
    if (joined)
      it(`${name} names lists of its reply, and fields that their items have`, () => {
        const { list, from, by } = joined;
        for (const ours of Object.values(by)) expect(propertiesOf(itemAt(output, list)), list).to.have.property(ours);
        for (const path of from) expect(propertiesOf(itemAt(output, path)), path).to.include.all.keys(Object.keys(by));
      });

  for (const { name, namedItems, input, output } of operations)
    if (namedItems)
      it(`${name} names where the names are, and a field that operations take ids in`, () => {
        const { names, found } = namedItems;
        if (found === undefined)
          expect(propertiesOf(itemAt(output, listOf(output)))).to.include.all.keys('id', ...names);
        else {
          expect(at(output, found)?.['format']).to.equal('uuid');
          for (const field of [...names, namedItems.id]) expect(propertiesOf(input), field).to.have.property(field);
        }
        const takers = operations.filter((each) => at(each.input, namedItems.id)?.['format'] === 'uuid');
        expect(takers).to.not.have.lengthOf(0);
      });

  /** The schemas inside a schema that name columns. */
  const withColumns = (schema: JsonSchema, seen = new Set<JsonSchema>()): JsonSchema[] => {
    if (seen.has(schema)) return [];
    seen.add(schema);
    const inner = [...Object.values(propertiesOf(schema)), schema['items'], ...[schema['anyOf']].flat()].filter(
      isSchema,
    );
    return [...(columnsOf(schema) ? [schema] : []), ...inner.flatMap((each) => withColumns(each, seen))];
  };
  it('tables have columns that their rows have, each once', () => {
    const schemas = operations.flatMap(({ name, output }) => withColumns(output).map((schema) => ({ name, schema })));
    expect(schemas).to.have.length.greaterThan(20);
    for (const { name, schema } of schemas) {
      const columns = columnsOf(schema) ?? [];
      expect(new Set(columns), name).to.have.lengthOf(columns.length);
      for (const column of columns) expect(at(schema, column), `${name} ${column}`).to.not.equal(undefined);
    }
  });
});
