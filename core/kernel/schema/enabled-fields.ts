import { isSchema, productOf, propertiesOf, withProperties, type JsonSchema, type Schema } from './schema.js';

/** The schema for a deployment with these products. @returns the same schema if nothing is missing */
export function enabledFieldsOf<V, S>(products: readonly string[], schema: Schema<V, S>): Schema<V, S>;
export function enabledFieldsOf(products: readonly string[], schema: JsonSchema): JsonSchema {
  const all = Object.entries(propertiesOf(schema));
  const leftOut = Object.fromEntries(
    all.flatMap(([name, each]) => {
      const product = productOf(each);
      return product === undefined || products.includes(product) ? [] : [[name, product]];
    }),
  );
  const kept = all
    .filter(([name]) => !Object.hasOwn(leftOut, name))
    .map(([name, each]) => [name, enabledFieldsOf(products, each)] as const);
  const { items } = schema;
  const fittedItems = isSchema(items) ? enabledFieldsOf(products, items) : items;
  const isSame = kept.length === all.length && kept.every(([name, each]) => each === propertiesOf(schema)[name]);
  if (isSame && fittedItems === items) return schema;
  const fitted = isSame ? schema : withProperties(schema, Object.fromEntries(kept), leftOut);
  return fittedItems === items ? fitted : { ...fitted, items: fittedItems };
}
