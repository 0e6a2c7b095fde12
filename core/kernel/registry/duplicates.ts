import { tableNameOf } from '#core/runtime/database/table.js';
import { commonErrors } from '../errors/common.js';
import type { ErrorDeclaration } from '../errors/errors.js';
import { pathOf } from '../operation.js';
import { shapeOf } from '../path-template.js';
import type { Plugin } from '../plugin.js';

const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];

/** Names and addresses that two plugins declare, or one declares twice: one sentence each. */
export function duplicates(known: readonly Plugin[], enabled: readonly Plugin[]): string[] {
  const kernelCodes: Claim[] = Object.keys(commonErrors).map((name) => ({ name, owner: 'the kernel' }));
  const claims: [string, Claim[]][] = [
    ['the operation', claimsOf(known, ({ operations }) => operations.map(({ name }) => name))],
    ['the event', claimsOf(known, ({ events }) => Object.keys(events))],
    ['the error code', [...kernelCodes, ...errorClaims(known)]],
    ['the table', claimsOf(known, ({ tables }) => tables.map(tableNameOf))],
    [
      'the system template',
      claimsOf(known, ({ systemTemplates = [] }) => systemTemplates.map(({ name, channel }) => `${name} (${channel})`)),
    ],
    ['the address', claimsOf(known, addressesOf)],
    // Several products may provide the same port if only one of them is enabled.
    ['the port', claimsOf(enabled, ({ provides = [] }) => provides.map(({ port }) => port.name))],
  ];
  return [
    ...repeated(known.map(({ name }) => name)).map((name) => `Two plugins claim the product name ${name}.`),
    ...claims.flatMap(([what, each]) => repeatedClaims(what, each)),
  ];
}

/** A name and the plugin that declares it. */
interface Claim {
  readonly name: string;
  readonly owner: string;
}

const claimsOf = (plugins: readonly Plugin[], names: (plugin: Plugin) => readonly string[]): Claim[] =>
  plugins.flatMap((plugin) => names(plugin).map((name) => ({ name, owner: plugin.name })));

function repeatedClaims(what: string, claims: readonly Claim[]): string[] {
  return repeated(claims.map(({ name }) => name)).map((name) => {
    const owners = [...new Set(claims.filter((claim) => claim.name === name).map(({ owner }) => owner))];
    return owners.length === 1
      ? `The plugin ${owners.join('')} declares ${what} ${name} twice.`
      : `Two plugins claim ${what} ${name}: ${owners.join(' and ')}.`;
  });
}

/** Plugins may share a declaration, as the channels of messages do; a code has one declaration. */
function errorClaims(plugins: readonly Plugin[]): Claim[] {
  const seen = new Set<ErrorDeclaration>();
  return claimsOf(plugins, ({ errors }) =>
    Object.entries(errors).flatMap(([code, declaration]) => {
      if (seen.has(declaration)) return [];
      seen.add(declaration);
      return [code];
    }),
  );
}

/** Every path that a plugin answers, /v1 twins included. Duplicate operation names are reported on their own. */
function addressesOf({ operations, pages = [], callbacks = [], endpoints = [], resources = [] }: Plugin): string[] {
  const twins = (path: string): string[] => [path, `/v1${path}`];
  const others = [
    ...[...pages, ...callbacks, ...endpoints].map(({ path }) => path),
    ...resources.flatMap(({ path }) => twins(path)),
  ];
  return [...new Set(operations.flatMap(({ name }) => twins(pathOf(name)))), ...others.map(shapeOf)];
}
