import { expect } from 'chai';
import { pathOf, type Operation } from '#core/kernel/operation.js';
import { isSchema, propertiesOf, type JsonSchema } from '#core/kernel/schema/schema.js';
import { paymentContractSettings } from '#test/billing/payment/contract.js';
import { useDns } from '#test/support/dns.js';
import { usePlatform, type TestPlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { operations } from './support/operations.js';
import { alsoNeeded, prepareWrite } from './support/write-calls.js';

/*
 * Calls every operation with the most extreme values that the schemas of its fields let through: the longest text of
 * characters that take four bytes, times that are in no calendar of a database, and the largest numbers.
 */

type Path = readonly (string | number)[];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The schemas of a value: those of its alternatives, if there are any. */
const branchesOf = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...listOf(schema['anyOf']).filter(isSchema).flatMap(branchesOf),
];

/** Every value of an input, by its path. Recursive schemas are followed a few steps. */
function valuesIn(schema: JsonSchema, path: Path = []): { path: Path; schema: JsonSchema }[] {
  if (path.length > 5) return [];
  return branchesOf(schema).flatMap((branch) => [
    { path, schema: branch },
    ...Object.entries(propertiesOf(branch)).flatMap(([name, inner]) => valuesIn(inner, [...path, name])),
    ...(isSchema(branch['items']) ? valuesIn(branch['items'], [...path, 0]) : []),
    ...(isSchema(branch['additionalProperties']) ? valuesIn(branch['additionalProperties'], [...path, 'key']) : []),
  ]);
}

const numberIn = (schema: JsonSchema, name: string): number | undefined => {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
};

/** The longest text of a schema, of the widest characters that its pattern allows. */
function longestText(schema: JsonSchema): string[] {
  const { pattern } = schema;
  const longest = Math.min(numberIn(schema, 'maxLength') ?? 0, 100_000);
  if (longest === 0 || 'enum' in schema || 'format' in schema) return [];
  const allowed = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /^/;
  const found = ['\u{1F600}', '\u4E2D', 'é', 'a', 'z.']
    .map((each) => each.repeat(longest / each.length))
    .find((text) => allowed.test(text));
  const wide = '\u{1F600}'.repeat(longest);
  return [...(allowed.test(wide) ? [wide] : []), ...(found === undefined ? [] : [found])].slice(0, 1);
}

const times = [
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+12:00',
  '0000-01-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
];
const outOfRange = ['0000-01-01', '9999-12-31'];
const months = ['0000-01', '9999-12'];

/** The extreme values of a schema. */
function extremesOf(schema: JsonSchema): readonly unknown[] {
  const { type, format, pattern } = schema;
  if (format === 'date-time') return times;
  if (format === 'date') return outOfRange;
  if (
    typeof pattern === 'string' &&
    months.every((month) => new RegExp(pattern, 'u').test(month)) &&
    !('maxLength' in schema)
  )
    return months;
  if (type === 'integer' || type === 'number')
    return [
      numberIn(schema, 'maximum') ?? Number.MAX_SAFE_INTEGER,
      numberIn(schema, 'minimum') ?? Number.MIN_SAFE_INTEGER,
    ];
  return type === 'string' ? longestText(schema) : [];
}

/** A copy of a value in which `path` is `value`. */
function withValue(root: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === 'number') {
    const list = listOf(root);
    return [withValue(list[name], rest, value), ...list.slice(1)];
  }
  const fields = typeof root === 'object' && root !== null && !Array.isArray(root) ? root : {};
  return { ...fields, [name]: withValue(Reflect.get(fields, name), rest, value) };
}

const shown = (path: Path): string => path.map((each) => (typeof each === 'number' ? '[]' : each)).join('.');

async function refusedOnly(platform: TestPlatform, operation: Operation): Promise<void> {
  const account = await platform.account();
  const { body, key: secret } = await prepareWrite(operation, platform, account);
  const example: unknown = JSON.parse(body);
  const wrong: string[] = [];
  for (const { path, schema } of valuesIn(operation.input).filter(({ path }) => path.length > 0))
    for (const value of extremesOf(schema)) {
      const input = JSON.stringify(withValue(example, path, value));
      const { status, text } = await platform.api.raw(pathOf(operation.name), input, { key: secret });
      if (/"code":"(internal_error|unavailable)"/.test(text) || text.includes('cannot be stored'))
        wrong.push(`${shown(path)} = ${JSON.stringify(value).slice(0, 40)}: ${status} ${text.slice(0, 300)}`);
    }
  // What was accepted is also worked on.
  await platform.settled();
  const logged = platform.logLines.filter((line) =>
    /ER_DATA_TOO_LONG|ER_TRUNCATED|ER_WARN_DATA_OUT_OF_RANGE/.test(line),
  );
  expect([...wrong, ...logged.map((line) => line.slice(0, 600))]).to.deep.equal([]);
}

describe('The most extreme values that a schema lets through', () => {
  const names = useDns();
  const platform = usePlatform({
    settings: async () => ({ SVC_SIGNUP: 'open', ...(await names.settings()), ...(await paymentContractSettings()) }),
  });

  for (const operation of operations)
    itNeeding(...(alsoNeeded[operation.name] ?? []))(`${operation.name} stores or refuses them`, () =>
      refusedOnly(platform, operation),
    );
});
