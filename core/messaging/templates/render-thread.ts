import { parentPort } from 'node:worker_threads';
import { renderTemplate, type Escaping, type Rendered } from './liquid.js';

/** One text of a message. */
export interface RenderPart {
  source: string;
  escaping: Escaping;
}

export interface RenderRequest {
  parts: readonly RenderPart[];
  variables: Readonly<Record<string, unknown>>;
}

/* A thread of render-pool.ts: answers each request in turn, one result for each part. */
parentPort?.on('message', ({ parts, variables }: RenderRequest) => {
  const rendered: Rendered[] = parts.map(({ source, escaping }) => renderTemplate(source, variables, escaping));
  parentPort?.postMessage(rendered);
});
parentPort?.postMessage('ready');
