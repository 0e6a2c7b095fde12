const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const foldersIn = (folder) =>
  readdirSync(join(__dirname, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => [`${folder}/${name}`, ...foldersIn(`${folder}/${name}`)]);

/** Folders that declare an order of their entries, in a file order.txt. */
const ordered = ['core', 'plugins', 'examples/plugin/plugins']
  .flatMap((top) => [top, ...foldersIn(top)])
  .filter((folder) => existsSync(join(__dirname, folder, 'order.txt')));

/**
 * One rule for each entry of a folder: it imports from none that is below it in order.txt.
 * @throws Error if order.txt and the folder differ
 */
function orderOf(folder) {
  const lines = readFileSync(join(__dirname, folder, 'order.txt'), 'utf8').split('\n');
  const order = lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' ')[0]);
  // A product's console screens run in browsers: they have rules of their own (below).
  const isScreens = (name) => folder.startsWith('plugins/') && name === 'console';
  const isCode = (name) =>
    name.endsWith('.ts') || (statSync(join(__dirname, folder, name)).isDirectory() && !isScreens(name));
  const entries = readdirSync(join(__dirname, folder)).filter(isCode);
  const differing = [
    ...entries.filter((name) => !order.includes(name)),
    ...order.filter((name) => !entries.includes(name)),
  ];
  if (differing.length > 0 || new Set(order).size < order.length)
    throw new Error(
      `${folder}/order.txt must name every entry of ${folder} once: see ${differing.join(', ') || 'its repeats'}.`,
    );
  const pattern = (names) => `^${folder}/(${names.map((name) => name.replace('.', '\\.')).join('|')})($|/)`;
  return order.slice(0, -1).map((name, index) => ({
    name: `order-of-${folder}`,
    comment: `${folder}/${name} imports only from the entries above it in ${folder}/order.txt.`,
    severity: 'error',
    from: { path: pattern([name]) },
    to: { path: pattern(order.slice(index + 1)) },
  }));
}

/** The import rules of docs/architecture.md. */
module.exports = {
  forbidden: [
    ...ordered.flatMap(orderOf),
    {
      name: 'config-knows-nothing',
      severity: 'error',
      from: { path: '^config/' },
      to: { path: '^(core|plugins|scripts|test)/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'plugins-meet-at-ports',
      comment: 'A plugin imports only ports.ts of another plugin.',
      severity: 'error',
      from: { path: '^(?:examples/plugin/)?plugins/([^/]+)/' },
      to: { path: '^plugins/[^/]+/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/ports\\.ts$'] },
    },
    {
      name: 'kernel-and-runtime-know-no-product',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(plugins|scripts|test)/' },
    },
    {
      name: 'kernel-knows-no-surface',
      severity: 'error',
      from: { path: '^core/(kernel|runtime|messaging)/' },
      to: { path: '^core/surfaces/' },
    },
    {
      name: 'runtime-knows-no-kernel',
      comment: 'The runtime provides database, work queues, jobs and secrets, and depends on no kernel.',
      severity: 'error',
      from: { path: '^core/runtime/' },
      to: { path: '^core/(kernel|messaging)/' },
    },
    {
      name: 'console-screens-import-the-kit',
      comment: 'What runs in browsers imports the kit, the SDK and plain shared code, never server code.',
      severity: 'error',
      from: { path: '^(?:core/surfaces/console/(?:kit|app)|plugins/([^/]+)/console)/' },
      to: {
        path: '^(core|plugins|config|scripts|migrations|test)/',
        pathNot: [
          '^core/surfaces/console/(kit/|app/|shared\\.ts$)',
          '^core/surfaces/(sdk/|reference/(examples|go-example)\\.ts$)',
          '^core/surfaces/cli/(command-catalogue|terminal/times)\\.ts$',
          '^core/surfaces/pages/(theme|colour|styles)\\.ts$',
          '^plugins/$1/console/',
        ],
      },
    },
    {
      name: 'product-screens-import-kit-index',
      comment: 'The kit is what kit/index.ts exports; the app is not for products.',
      severity: 'error',
      from: { path: '^plugins/[^/]+/console/' },
      to: { path: '^core/surfaces/console/', pathNot: '^core/surfaces/console/kit/index\\.ts$' },
    },
    {
      name: 'server-imports-no-screens',
      severity: 'error',
      from: { pathNot: '^(core/surfaces/console/(kit|app)|plugins/[^/]+/console|test)/' },
      to: { path: '^(core/surfaces/console/(kit|app)|plugins/[^/]+/console)/' },
    },
    {
      name: 'product-code-imports-no-tests',
      severity: 'error',
      from: { pathNot: '^(examples/plugin/)?test/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-orphan-resolution',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^svc-console-products$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      conditionNames: ['svc-source', 'import', 'types', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
