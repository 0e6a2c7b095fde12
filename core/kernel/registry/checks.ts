import { nearest } from '#config/nearest.js';
import { tableNameOf } from '#core/runtime/database/table.js';
import { commonErrors } from '../errors/common.js';
import { testRefusal, type Operation } from '../operation.js';
import { templateProblem } from '../path-template.js';
import type { Plugin } from '../plugin.js';
import { propertiesOf } from '../schema/schema.js';
import { duplicates } from './duplicates.js';

/** Mistakes in the plugins' declarations that stop the start, one sentence each. */
export function problemsOf(known: readonly Plugin[], enabled: readonly Plugin[]): string[] {
  return [
    ...duplicates(known, enabled),
    ...known.flatMap(unknownFields),
    ...known.flatMap((plugin) => badOperations(plugin, known)),
    ...known.flatMap(reservedNameProblems),
    ...known.flatMap(badNames),
    ...known.flatMap(badAddresses),
    ...known.flatMap(badTemplates),
    ...known.flatMap(badGroups),
    ...unmetNeeds(enabled),
    ...needCycles(enabled),
  ];
}

/** Addresses that the server answers itself. */
const ownAddresses = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/docs',
  '/docs.md',
  '/llms.txt',
  '/reference',
  '/console',
  '/clients',
  '/mcp',
];

/** Everything below these belongs to the server, except the address at which a product answers for the console. */
const ownFolders = ['/docs/', '/reference/', '/console/', '/clients/'];
const consoleSession = '/console/session';

const isOwn = (path: string): boolean =>
  ownAddresses.includes(path) || (path !== consoleSession && ownFolders.some((folder) => path.startsWith(folder)));

/** /docs/reference has pages with these names in addition to one for each product. */
const referencePages = ['events', 'resources'];

/** The operations of a product are answered below its name: /email/send. */
function reservedNameProblems({ name }: Plugin): string[] {
  const page = referencePages.includes(name)
    ? `/docs/reference/${name}`
    : ownAddresses.find((address) => address === `/${name}`);
  return page === undefined ? [] : [`The product name ${name} is reserved: ${page} is a page of the server.`];
}

/** Wildcards of webhooks and the owner of a table are read from the beginning of a name. */
function badNames({ name: product, events, tables }: Plugin): string[] {
  const foreign = (what: string, separator: string, names: readonly string[]): string[] =>
    names
      .filter((name) => name !== product && !name.startsWith(product + separator))
      .map(
        (name) =>
          `The ${what} ${name} belongs to the plugin ${product}, so its name must begin with ${product}${separator}.`,
      );
  return [...foreign('event', '.', Object.keys(events)), ...foreign('table', '_', tables.map(tableNameOf))];
}

function badAddresses(plugin: Plugin): string[] {
  const { pages = [], callbacks = [], endpoints = [], resources = [] } = plugin;
  return [...pages, ...callbacks, ...endpoints, ...resources].flatMap(({ path }) => {
    const problem = isOwn(path) ? 'is answered by the server itself' : templateProblem(path);
    return problem === undefined ? [] : [`The address ${path} of the plugin ${plugin.name} ${problem}.`];
  });
}

function badTemplates({ name: product, systemTemplates = [] }: Plugin): string[] {
  return systemTemplates.flatMap(({ name, variables, requiredVariables }) => {
    const unknown = requiredVariables.filter((variable) => !variables.includes(variable));
    const problems = [
      ...(name.startsWith(`${product}.`)
        ? []
        : [`belongs to the plugin ${product}, so its name must begin with ${product}`]),
      ...unknown.map((variable) => `requires the variable ${variable}, which its variables do not list`),
    ];
    return problems.map((problem) => `The system template ${name} ${problem}.`);
  });
}

function badGroups({ name: product, operations, groups = {} }: Plugin): string[] {
  return Object.keys(groups)
    .filter((group) => !operations.some(({ name }) => name.startsWith(`${product}.${group}.`)))
    .map((group) => `The plugin ${product} describes the group ${group}, which has no operation.`);
}

/** Whether rows of the product belong to a whole account instead of one environment. */
const keepsRowsOfAccounts = ({ tables }: Plugin): boolean =>
  tables.some(({ options }) => 'accountId' in options.columns && !('environmentId' in options.columns));

function badOperations(plugin: Plugin, known: readonly Plugin[]): string[] {
  const codes = new Set([...Object.keys(commonErrors), ...known.flatMap((each) => Object.keys(each.errors))]);
  const events = new Set(known.flatMap((each) => Object.keys(each.events)));
  return plugin.operations.flatMap((operation) => {
    const { name } = operation;
    const sentence = (problem: string): string => `The operation ${name} ${problem}.`;
    return [
      ...(operation.product === plugin.name
        ? []
        : [sentence(`is declared by the plugin ${plugin.name}, but its name begins with ${operation.product}`)]),
      ...(operation.summary.trim() === '' ? [sentence('has no summary')] : []),
      ...operationProblems(operation).map(sentence),
      ...(keepsRowsOfAccounts(plugin) ? undecidedScope(operation) : []).map(sentence),
      ...operation.errors
        .filter((code) => !codes.has(code))
        .map((code) => sentence(`lists the error ${code}, which no plugin declares`)),
      ...operation.events
        .filter((event) => !events.has(event))
        .map((event) => sentence(`lists the event ${event}, which no plugin declares`)),
    ];
  });
}

/** Without this, keys of test environments could call a new write of an account's rows. */
const undecidedScope = ({ access, impact, accountWide }: Operation): string[] =>
  access === 'secret' && !impact.read && accountWide === undefined
    ? ['writes in a product that keeps rows of accounts, so it must say whether it is accountWide, true or false']
    : [];

/** Declarations of one operation that contradict each other. */
function operationProblems(operation: Operation): string[] {
  const { openToTestKeys, ...closed } = operation;
  const { access, impact, needs, finish, errors, limits = [], input, liveOnly, ownerOnly, mayBeOld } = closed;
  return [
    ...(openToTestKeys === undefined || (openToTestKeys.trim() !== '' && testRefusal(closed) === 'keys')
      ? []
      : ['may give a reason for openToTestKeys only if it is an account-wide write that would refuse them']),
    ...(liveOnly === true && access !== 'secret' ? ['is liveOnly, which is for operations with secret access'] : []),
    ...(ownerOnly === true && access !== 'secret' ? ['is ownerOnly, which is for operations with secret access'] : []),
    ...(access === 'user' && !('accessToken' in propertiesOf(input))
      ? ['has user access and takes no accessToken']
      : []),
    ...(needs !== undefined && !('accessToken' in propertiesOf(input))
      ? ['needs something of the user’s session, but takes no accessToken']
      : []),
    ...(mayBeOld !== undefined && !(impact.read && access === 'secret')
      ? ['declares mayBeOld, which is for reads with secret access']
      : []),
    // `finish` needs a caller, so that a repeat can be matched.
    ...(access === 'public' && finish !== undefined ? ['is public, so it cannot have a finish'] : []),
    ...(impact.read && limits.some(({ acceptedOnly }) => acceptedOnly)
      ? ['is a read, so it cannot have a limit that counts only accepted calls']
      : []),
    ...limits.flatMap(({ name, refusedWith = [] }) =>
      refusedWith
        .filter((code) => !errors.includes(code))
        .map((code) => `has the limit ${name} of refusals with ${code}, which it does not list`),
    ),
    ...limits
      .filter(({ description }) => description.trim() === '')
      .map(({ name }) => `has the limit ${name} without a description`),
  ];
}

/** The fields of a plugin. The type makes the compiler reject a list that lacks one. */
const pluginFields: Readonly<Record<keyof Plugin, true>> = {
  name: true,
  summary: true,
  groups: true,
  alwaysOn: true,
  tables: true,
  operations: true,
  events: true,
  errors: true,
  settings: true,
  needs: true,
  provides: true,
  consequences: true,
  systemTemplates: true,
  pages: true,
  callbacks: true,
  endpoints: true,
  resources: true,
  setUp: true,
  describes: true,
  startProblems: true,
  startupNotices: true,
  authenticators: true,
  userRefusals: true,
  consumes: true,
  eraser: true,
  findAddressHolder: true,
  work: true,
  outgoing: true,
  listeners: true,
  listensOn: true,
  jobs: true,
};

function unknownFields(plugin: Plugin): string[] {
  return Object.keys(plugin)
    .filter((name) => !(name in pluginFields))
    .map((name) => {
      const guess = nearest(name, Object.keys(pluginFields));
      return `The plugin ${plugin.name} has the unknown field ${name}.${guess === undefined ? '' : ` Did you mean ${guess}?`}`;
    });
}

function unmetNeeds(enabled: readonly Plugin[]): string[] {
  const provided = new Set(enabled.flatMap((plugin) => (plugin.provides ?? []).map((each) => each.port.name)));
  return enabled.flatMap((plugin) =>
    (plugin.needs ?? [])
      .filter((each) => !each.standIn && !provided.has(each.port.name))
      .map((each) => `The product ${plugin.name} needs ${each.port.name}, which no enabled product provides.`),
  );
}

/** Needs without a stand-in must not form a cycle. */
function needCycles(enabled: readonly Plugin[]): string[] {
  const owners = new Map(
    enabled.flatMap((plugin) => (plugin.provides ?? []).map((each) => [each.port.name, plugin.name])),
  );
  const next = new Map(
    enabled.map((plugin) => [
      plugin.name,
      (plugin.needs ?? []).filter((each) => !each.standIn).flatMap((each) => owners.get(each.port.name) ?? []),
    ]),
  );
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (next.get(from) ?? []).some((name) => name === to || (!seen.has(name) && reaches(name, to, seen.add(name))));
  return enabled
    .filter((plugin) => reaches(plugin.name, plugin.name, new Set()))
    .map((plugin) => `The needs of ${plugin.name} form a cycle.`);
}
