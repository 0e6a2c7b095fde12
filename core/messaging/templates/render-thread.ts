import { parentPort } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import { renderGuarded, type Guarded } from './guarded.js';
import { checkTemplate, renderTemplate, type Checked, type Escaping, type Rendered } from './liquid.js';
import { createParseCache } from './parse-cache.js';

/** One text of a message. */
export interface RenderPart {
  source: string;
  escaping: Escaping;
}

/** The texts of one message, and the values of their variables. */
export interface RenderJob {
  parts: readonly RenderPart[];
  variables: Readonly<Record<string, unknown>>;
  /** Values that the texts may show and must not pass on, see guarded.ts. */
  guarded?: Guarded | undefined;
  /** See RenderOptions. */
  isPreview?: boolean | undefined;
  locale?: string | undefined;
}

/** Jobs that share their `parts` are cheap to send: an object that occurs twice in one request is copied once. */
export type RenderRequest = { render: readonly RenderJob[] } | { check: readonly RenderPart[] };

/** `rendered` may have fewer results than there were jobs: the remaining ones are requested again. */
export type RenderReply = { rendered: Rendered[][] } | { checked: Checked[] };

/** Milliseconds after which no new job of a request is begun, so that the deadline applies to one job. */
const sliceMs = 50;

/* A thread of render-pool.ts: answers each request in turn. */
const parse = createParseCache();

function renderSome(jobs: readonly RenderJob[]): Rendered[][] {
  const endsAt = performance.now() + sliceMs;
  const results: Rendered[][] = [];
  for (const { parts, variables, guarded, isPreview, locale } of jobs) {
    if (results.length > 0 && performance.now() > endsAt) break;
    results.push(
      parts.map(({ source, escaping }) =>
        guarded
          ? renderGuarded(source, variables, guarded, escaping, { parse, isPreview, locale })
          : renderTemplate(source, variables, escaping, { parse, isPreview, locale }),
      ),
    );
  }
  return results;
}

parentPort?.on('message', (request: RenderRequest) => {
  const reply: RenderReply =
    'render' in request
      ? { rendered: renderSome(request.render) }
      : { checked: request.check.map(({ source, escaping }) => checkTemplate(source, escaping)) };
  parentPort?.postMessage(reply);
});
announceReady();
