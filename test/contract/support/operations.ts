import { findPlugins } from '#core/kernel/find-plugins.js';
import type { Operation } from '#core/kernel/operation.js';
import { propertiesOf } from '#core/kernel/schema/schema.js';

/** Every product in the repository, as the server finds them: what is added later cannot be missed. */
export const plugins = await findPlugins();

const products = plugins.map((plugin) => plugin.name);

/** Every operation there is, its `requires` on or off. */
export const allOperations: readonly Operation[] = plugins.flatMap((plugin) => plugin.operations);

/** Those that can be called where all products are on. */
export const operations = allOperations.filter(({ requires }) => requires === undefined || products.includes(requires));

export const isForPublishable = ({ access }: Operation): boolean => access === 'publishable' || access === 'user';
export const isForSecret = ({ access }: Operation): boolean => access === 'secret' || access === 'operator';

/** The input fields that must name a thing by its id. */
export function requiredIds({ input }: Operation): string[] {
  const required: unknown = input['required'];
  return Object.entries(propertiesOf(input))
    .filter(([name, schema]) => schema['format'] === 'uuid' && Array.isArray(required) && required.includes(name))
    .map(([name]) => name);
}

/** The example's input with some fields of its own. */
export const exampleWith = ({ example }: Operation, changes: object = {}): object =>
  Object.assign({}, example.input, changes);
