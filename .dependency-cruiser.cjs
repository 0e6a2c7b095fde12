/** The import rules of docs/architecture.md. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'plugins-meet-at-ports',
      comment: 'A plugin imports only ports.ts of another plugin.',
      severity: 'error',
      from: { path: '^plugins/([^/]+)/' },
      to: { path: '^plugins/[^/]+/', pathNot: ['^plugins/$1/', '^plugins/[^/]+/ports\\.ts$'] },
    },
    {
      name: 'kernel-and-runtime-know-no-product',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(plugins|scripts|test)/', pathNot: '^plugins/all\\.gen\\.ts$' },
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
    { name: 'product-code-imports-no-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    { name: 'no-orphan-resolution', severity: 'error', from: {}, to: { couldNotResolve: true } },
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
