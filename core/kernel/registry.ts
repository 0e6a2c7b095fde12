import { nearest } from '#config/nearest.js';
import type { Catalogue } from './catalogue.js';
import type { FullContext } from './context.js';
import { commonErrors, refusalOf } from './errors/common.js';
import type { ErrorDeclaration } from './errors/errors.js';
import { pathOf, permissionOf, type Operation } from './operation.js';
import type { Plugin } from './plugin.js';
import type { Port } from './port.js';
import type { Provision } from './provision.js';
import { enabledFieldsOf } from './schema/enabled-fields.js';
import { propertiesOf } from './schema/schema.js';
import { problemsOf } from './registry-checks.js';

/** What is enabled in this deployment: its plugins, and the catalogue of what they offer. */
export interface Registry extends Catalogue {
  readonly plugins: readonly Plugin[];
  /** The implementation of a port, made for one transaction. @param owner the product that asks; undefined for the server */
  provided<T>(port: Port<T>, owner: string | undefined, contextFor: (owner: string | undefined) => FullContext): T;
}

/** Deployment errors that stop the start, all at once. */
export class RegistryError extends Error {
  override name = 'RegistryError';
}

/**
 * @param known every plugin in the repository
 * @param enabled names of products to enable; empty for all. Those that are always on are added.
 * @param kernelProvides ports that the kernel answers itself
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
        `SVC_PRODUCTS names "${name}", which is no product here. There are: ${known.map((plugin) => plugin.name).join(', ')}.`,
    ),
    ...problemsOf(known, plugins),
  ];
  if (problems.length > 0) throw new RegistryError(problems.join('\n'));

  const isOn = (operation: Operation): boolean =>
    operation.requires === undefined || products.includes(operation.requires);
  const all = known.flatMap((plugin) => plugin.operations);
  const operations = new Map(
    plugins
      .flatMap((plugin) => plugin.operations.filter(isOn))
      .map((operation) => [operation.name, { ...operation, input: enabledFieldsOf(products, operation.input) }]),
  );
  const byPath = new Map([...operations.values()].map((operation) => [pathOf(operation.name), operation]));
  const events = new Map(plugins.flatMap((plugin) => Object.entries(plugin.events)));
  const errorsOf = (some: readonly Plugin[]): Record<string, ErrorDeclaration> =>
    Object.fromEntries(
      [commonErrors, ...some.map((plugin) => plugin.errors)].flatMap((errors) => Object.entries(errors)),
    );
  const providers = new Map([
    ...kernelProvides.map((each) => [each.port.name, { owner: 'kernel', make: each.make }] as const),
    ...plugins.flatMap((plugin) =>
      (plugin.provides ?? []).map((each) => [each.port.name, { owner: plugin.name, make: each.make }] as const),
    ),
  ]);
  const needs = new Map(
    plugins.map((plugin) => [plugin.name, new Map((plugin.needs ?? []).map((each) => [each.port.name, each.standIn]))]),
  );

  // When the server uses a port for a product, mostly in workers, the product's stand-in applies.
  const standIns = new Map(
    plugins.flatMap((plugin) => (plugin.needs ?? []).map((each) => [each.port.name, each.standIn] as const)),
  );

  const signsIn = [...operations.values()].some(({ access }) => access === 'user');

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
    enabledErrors: errorsOf(plugins),
    at(path) {
      const found = byPath.get(path);
      if (found) return found;
      const off = all.find((operation) => pathOf(operation.name) === path);
      if (off)
        throw refusalOf.product_disabled({
          product: products.includes(off.product) ? (off.requires ?? off.product) : off.product,
        });
      const guess = nearest(path, [...byPath.keys()]);
      throw refusalOf.unknown_operation({
        path: path.length > 200 ? `${path.slice(0, 200)}…` : path,
        suggestion:
          guess === undefined
            ? 'See /openapi.json for the operations there are.'
            : `Did you mean POST ${guess}? See /openapi.json for the operations there are.`,
      });
    },
    provided(port, owner, contextFor) {
      const wanted = owner === undefined ? undefined : needs.get(owner);
      const provider = providers.get(port.name);
      const isKernels = port.name.startsWith('kernel.');
      if (owner !== undefined && !isKernels && !wanted?.has(port.name) && provider?.owner !== owner) {
        throw new Error(`The product ${owner} uses ${port.name} without naming it in its needs.`);
      }
      const make =
        provider?.make ?? wanted?.get(port.name) ?? (owner === undefined ? standIns.get(port.name) : undefined);
      if (!make) throw new Error(`No enabled product provides ${port.name}.`);
      return typed(port, make(contextFor(provider?.owner ?? owner)));
    },
    codesOf: (operation) => [...new Set([...codesOfKind(operation, signsIn), ...operation.errors])],
    eventsOf(operation) {
      const consequences = operation.events.flatMap((name) =>
        plugins.flatMap((plugin) => plugin.consequences?.[name] ?? []),
      );
      return [...new Set([...operation.events, ...consequences])].filter((name) => events.has(name));
    },
  };
}

/** Provider and port were tied together by `provide`, which checked the type. */
function typed<T>(port: Port<T>, made: unknown): T;
function typed(_port: Port<unknown>, made: unknown): unknown {
  return made;
}

const always = [
  'invalid_json',
  'invalid_input',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
  'rate_limited',
  'not_found',
  'internal_error',
  'unavailable',
];

/**
 * The error codes that every operation of this access and impact can answer.
 * @param signsIn whether people can sign in to this deployment, and so call with a dashboard session
 */
function codesOfKind(operation: Operation, signsIn: boolean): string[] {
  const { access, impact, needs = {} } = operation;
  const forPublishable = access === 'publishable' || access === 'user';
  // Optional for some publishable operations: see `resolveUser`.
  const takesUser = forPublishable && 'accessToken' in propertiesOf(operation.input);
  return [
    ...always,
    ...(impact.read ? [] : ['idempotency_mismatch', 'idempotency_in_progress']),
    ...(access === 'public' ? [] : ['unauthenticated', 'forbidden']),
    ...(permissionOf(operation) === null ? [] : ['permission_required']),
    ...(access === 'secret' || access === 'operator'
      ? ['secret_key_required', 'environment_required', ...(signsIn ? ['token_invalid', 'mfa_required'] : [])]
      : []),
    ...(access === 'operator' ? ['operator_only'] : []),
    ...(forPublishable ? ['publishable_key_required', 'origin_not_allowed'] : []),
    ...(takesUser ? ['token_invalid', 'user_banned'] : []),
    ...(needs.recentSignIn ? ['reauth_required'] : []),
    ...(needs.secondFactor || (takesUser && !needs.withoutRequiredFactor) ? ['mfa_required'] : []),
    ...(needs.notImpersonated ? ['impersonation_forbidden'] : []),
  ];
}
