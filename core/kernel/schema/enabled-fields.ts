import { isSchema, productOf, propertiesOf, type JsonSchema, type Schema } from './schema.js';

/** The schema as a deployment with these products has it. @returns the same one where nothing is missing */
export function enabledFieldsOf<V, S>(products: readonly string[], schema: Schema<V, S>): Schema<V, S>;
export function enabledFieldsOf(products: readonly string[], schema: JsonSchema): JsonSchema {
  const isThere = (product: string | undefined): boolean => product === undefined || products.includes(product);
  const all = Object.entries(propertiesOf(schema));
  const kept = all
    .filter(([, each]) => isThere(productOf(each)))
    .map(([name, each]) => [name, enabledFieldsOf(products, each)] as const);
  const { items } = schema;
  const fittedItems = isSchema(items) ? enabledFieldsOf(products, items) : items;
  const isSame = kept.length === all.length && kept.every(([name, each]) => each === propertiesOf(schema)[name]);
  if (isSame && fittedItems === items) return schema;
  return {
    ...schema,
    ...(isSame ? {} : { properties: Object.fromEntries(kept) }),
    ...(fittedItems === items ? {} : { items: fittedItems }),
  };
}
