import { Worker, type ResourceLimits } from 'node:worker_threads';

/**
 * Starts a worker thread.
 * @param module the thread's module, as `new URL('./some-thread.js', import.meta.url)`; from sources the .ts file of
 *   that name is loaded
 */
export function startThread(module: URL, resourceLimits: ResourceLimits): Worker {
  if (!import.meta.url.endsWith('.ts')) return new Worker(module, { resourceLimits });
  // Node 20 does not apply --import to threads, so the TypeScript loader is registered in each.
  const url = JSON.stringify(module.href.replace(/\.js$/, '.ts'));
  const code = `import('tsx/esm/api').then(({ register }) => { register(); return import(${url}); });`;
  return new Worker(code, { eval: true, resourceLimits });
}
