import type { FullContext } from '../context.js';
import type { Plugin } from '../plugin.js';
import type { Port } from '../port.js';
import type { Provision } from '../provision.js';

/**
 * Finds the implementation of a port. The enabled product that provides the port is used first, then the stand-in of
 * the product that calls. If the server itself calls, mostly in workers, the stand-in of any product that needs the
 * port is used.
 * @param kernelProvides ports that the kernel provides; products use them without naming a need
 * @returns see Registry.provided; it throws an Error if the product did not name the port in its needs, or if nothing
 *   provides it
 */
export function portResolver(
  plugins: readonly Plugin[],
  kernelProvides: readonly Provision[],
): <T>(port: Port<T>, owner: string | undefined, contextFor: (owner: string | undefined) => FullContext) => T {
  const providers = new Map([
    ...kernelProvides.map((each) => [each.port.name, { owner: 'kernel', make: each.make }] as const),
    ...plugins.flatMap((plugin) =>
      (plugin.provides ?? []).map((each) => [each.port.name, { owner: plugin.name, make: each.make }] as const),
    ),
  ]);
  const standInsOf = (plugin: Plugin) => (plugin.needs ?? []).map((each) => [each.port.name, each.standIn] as const);
  const needsByProduct = new Map(plugins.map((plugin) => [plugin.name, new Map(standInsOf(plugin))]));
  const standIns = new Map(plugins.flatMap(standInsOf));

  return (port, owner, contextFor) => {
    const needs = owner === undefined ? undefined : needsByProduct.get(owner);
    const provider = providers.get(port.name);
    const isOfKernel = port.name.startsWith('kernel.');
    if (owner !== undefined && !isOfKernel && !needs?.has(port.name) && provider?.owner !== owner) {
      throw new Error(`The product ${owner} uses ${port.name} without naming it in its needs.`);
    }
    const standIn = owner === undefined ? standIns.get(port.name) : needs?.get(port.name);
    const make = provider?.make ?? standIn;
    if (!make) throw new Error(`No enabled product provides ${port.name}.`);
    return typed(port, make(contextFor(provider?.owner ?? owner)));
  };
}

/** Provider and port were tied together by `provide`, which checked the type. */
function typed<T>(port: Port<T>, made: unknown): T;
function typed(_port: Port<unknown>, made: unknown): unknown {
  return made;
}
