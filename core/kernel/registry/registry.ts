import { nearest } from '#config/nearest.js';
import type { Catalogue } from '../deployment-catalogue.js';
import type { FullContext } from '../context.js';
import { commonErrors, refusalOf } from '../errors/common.js';
import type { ErrorDeclaration, SvcError } from '../errors/errors.js';
import { pathOf, type Operation } from '../operation.js';
import type { Plugin } from '../plugin.js';
import type { Port } from '../port.js';
import type { Provision } from '../provision.js';
import { problemsOf } from './checks.js';
import { commonCodesOf } from './codes.js';
import { portResolver } from './port-resolver.js';
import { isSchema, productOf, propertiesOf, withProperties, type JsonSchema, type Schema } from '../schema/schema.js';

/** The schema for a deployment with these products. @returns the same schema if nothing is missing */
function enabledFieldsOf<V, S>(products: readonly string[], schema: Schema<V, S>): Schema<V, S>;
function enabledFieldsOf(products: readonly string[], schema: JsonSchema): JsonSchema {
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

/** What is enabled in this deployment: its plugins, and the catalogue of what they offer. */
export interface Registry extends Catalogue {
  readonly plugins: readonly Plugin[];
  /**
   * The implementation of a port, made for one transaction. @param owner the product that uses it; undefined for the
   * server
   */
  provided<T>(port: Port<T>, owner: string | undefined, contextFor: (owner: string | undefined) => FullContext): T;
}

/** Deployment errors that stop the start, all together. */
export class RegistryError extends Error {
  override name = 'RegistryError';
}

/**
 * @param known every plugin in the repository
 * @param enabled names of products to enable; empty for all. Those that are always on are added.
 * @param kernelProvides ports that the kernel provides itself
 * @throws RegistryError naming everything that is undeclared, declared twice or missing
 */
export function createRegistry(
  known: readonly Plugin[],
  enabled: readonly string[],
  kernelProvides: readonly Provision[] = [],
): Registry {
  const unknown = enabled.filter((name) => !known.some((plugin) => plugin.name === name));
  const plugins = known.filter(
    (plugin) => plugin.alwaysOn === true || enabled.length === 0 || enabled.includes(plugin.name),
  );
  const products = plugins.map((plugin) => plugin.name);
  const problems = [
    ...unknown.map(
      (name) =>
        `SVC_PRODUCTS names "${name}", which is not a product of this server. The products are: ${known.map((plugin) => plugin.name).join(', ')}.`,
    ),
    ...problemsOf(known, plugins),
  ];
  if (problems.length > 0) throw new RegistryError(problems.join('\n'));

  const isOn = ({ requires }: Operation): boolean => requires === undefined || products.includes(requires);
  const all = known.flatMap((plugin) => plugin.operations);
  const callable = plugins.flatMap((plugin) => plugin.operations.filter(isOn));
  const events = new Map(
    plugins
      .flatMap((plugin) => Object.entries(plugin.events))
      .filter(([, { requires = [] }]) => requires.every((product) => products.includes(product))),
  );
  const errorsOf = (some: readonly Plugin[]): Record<string, ErrorDeclaration> =>
    Object.fromEntries(
      [commonErrors, ...some.map((plugin) => plugin.errors)].flatMap((errors) => Object.entries(errors)),
    );
  const signsIn = callable.some(({ access }) => access === 'user');
  const userRefusals = plugins.flatMap((plugin) => plugin.userRefusals ?? []);
  const codesOf = (operation: Operation): string[] => [
    ...new Set([...commonCodesOf(operation, signsIn, userRefusals), ...operation.errors]),
  ];
  const listed = new Set(callable.flatMap(codesOf));
  const missing = plugins.flatMap((plugin) => plugin.operations.filter((operation) => !isOn(operation)));
  const onlyByMissing = new Set<string>(missing.flatMap(({ errors }) => errors).filter((code) => !listed.has(code)));
  const enabledErrors = Object.fromEntries(
    Object.entries(errorsOf(plugins)).filter(([code]) => !onlyByMissing.has(code)),
  );
  const operations = new Map(
    callable.map((operation) => [
      operation.name,
      {
        ...operation,
        input: enabledFieldsOf(products, operation.input),
        errors: operation.errors.filter((code) => code in enabledErrors),
      },
    ]),
  );
  const byPath = new Map([...operations.values()].map((operation) => [pathOf(operation.name), operation]));

  return {
    plugins,
    products: new Map(plugins.map(({ name, summary }) => [name, summary])),
    groups: new Map(
      plugins.flatMap(({ name, groups = {} }) =>
        Object.entries(groups).map(([group, text]) => [`${name}.${group}`, text] as const),
      ),
    ),
    operations,
    operationNames: all.map(({ name }) => name),
    events,
    systemTemplates: plugins.flatMap((plugin) => plugin.systemTemplates ?? []),
    errors: errorsOf(known),
    enabledErrors,
    at: (path) => {
      const found = byPath.get(path);
      if (found) return found;
      const disabled = all.find((operation) => pathOf(operation.name) === path);
      throw disabled ? disabledProduct(disabled, products) : unknownOperation(path, [...byPath.keys()]);
    },
    provided: portResolver(plugins, kernelProvides),
    codesOf,
    eventsOf(operation) {
      const consequences = operation.events.flatMap((name) =>
        plugins.flatMap((plugin) => plugin.consequences?.[name] ?? []),
      );
      return [...new Set([...operation.events, ...consequences])].filter((name) => events.has(name));
    },
  };
}

/** The refusal of an operation whose product, or the product that it requires, is not enabled. */
const disabledProduct = ({ product, requires }: Operation, enabled: readonly string[]): SvcError =>
  refusalOf.product_disabled({ product: enabled.includes(product) ? (requires ?? product) : product });

/** The refusal of a path that no operation has, with the nearest existing one. */
function unknownOperation(path: string, known: readonly string[]): SvcError {
  const guess = nearest(path, known);
  return refusalOf.unknown_operation({
    path: path.length > 200 ? `${path.slice(0, 200)}…` : path,
    suggestion:
      guess === undefined
        ? 'See /openapi.json for the operations there are.'
        : `Did you mean POST ${guess}? See /openapi.json for the operations there are.`,
  });
}
