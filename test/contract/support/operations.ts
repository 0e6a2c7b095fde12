import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import type { Operation } from '#core/kernel/operation.js';
import { propertiesOf } from '#core/kernel/schema/schema.js';
import type { TestAccount } from '#test/support/platform.js';
import { enabledProducts } from '#test/support/products.js';

/** All products of the repository, found as the server finds them, so that none can be missed. */
export const plugins = await findPlugins();

const enabled = enabledProducts(plugins.map((plugin) => plugin.name));

/** The products that an operator may leave out. */
export const optionalProducts = plugins.filter(({ alwaysOn }) => alwaysOn !== true).map(({ name }) => name);

/** All subsets of some names, the empty one first. */
export const subsetsOf = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((subsets, name) => [...subsets, ...subsets.map((each) => [...each, name])], [[]]);

/** All operations, whether or not the product they require is enabled. */
export const allOperations: readonly Operation[] = plugins.flatMap((plugin) => plugin.operations);

/** The operations that can be called when all products are enabled, or those that `npm test -- --products` chose. */
export const operations = allOperations.filter(
  ({ product, requires }) => enabled.includes(product) && (requires === undefined || enabled.includes(requires)),
);

export const isForPublishable = ({ access }: Operation): boolean => access === 'publishable' || access === 'user';
/** The key of an environment that may call an operation. */
export const keyFor = (
  operation: Operation,
  { keys }: Pick<TestAccount, 'keys'>,
  side: 'live' | 'test' = 'live',
): string => (isForPublishable(operation) ? keys[side].publishable : keys[side].secret);
export const isForSecret = ({ access }: Operation): boolean => access === 'secret' || access === 'operator';

/** The required input fields that hold an id. */
export function requiredIds({ input }: Operation): string[] {
  const required: unknown = input['required'];
  return Object.entries(propertiesOf(input))
    .filter(([name, schema]) => schema['format'] === 'uuid' && Array.isArray(required) && required.includes(name))
    .map(([name]) => name);
}

/** The example's input with some fields replaced. */
export const exampleWith = ({ example }: Operation, changes: object = {}): object =>
  Object.assign({}, example.input, changes);
