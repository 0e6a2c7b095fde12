import { setImmediate as nextTurn } from 'node:timers/promises';
import { renderTemplate, type Rendered } from './liquid.js';
import { createParseCache } from './parse-cache.js';
import type { RenderJob, RenderPart } from './render-thread.js';

/*
 * Most templates only name variables: `{{ contact.firstName | default: "there" }}`. Rendering one takes microseconds
 * whoever wrote it, less than sending it to a thread and back, so these are rendered where they are needed
 * (docs/decisions/0162). Everything else, from tags to other filters, goes to the threads of render-pool.ts.
 */

const [mostOutputs, longestSource, longestExpression] = [100, 200_000, 200];
const simpleExpression = /^-? *[A-Za-z_]\w*(?:\.\w+)*(?: *\| *default: *(?:"[^"]*"|'[^']*'))? *-?$/;

/** Whether a source consists of text and of outputs that name a variable, perhaps with a default. */
export function isSimple(source: string): boolean {
  if (source.length > longestSource || source.includes('{%')) return false;
  let outputs = 0;
  for (let from = source.indexOf('{{'); from >= 0; from = source.indexOf('{{', from)) {
    const to = source.indexOf('}}', from);
    outputs += 1;
    if (to < 0 || to - from > longestExpression || outputs > mostOutputs) return false;
    if (!simpleExpression.test(source.slice(from + 2, to).trim())) return false;
    from = to + 2;
  }
  return true;
}

/** By the list of parts, which the jobs of one template share. */
const known = new WeakMap<readonly RenderPart[], boolean>();

/** Whether all texts of a message are simple, and show no value that must not be passed on. */
export function isSimpleJob({ parts, guarded }: RenderJob): boolean {
  if (guarded) return false;
  const before = known.get(parts);
  if (before !== undefined) return before;
  const found = parts.every(({ source }) => isSimple(source));
  known.set(parts, found);
  return found;
}

const parse = createParseCache();
/** Milliseconds after which other work of this thread has its turn. */
const sliceMs = 5;

/** Renders jobs for which `isSimpleJob` holds, in this thread. @returns for each job a result for each of its parts */
export async function renderSimple(jobs: readonly RenderJob[]): Promise<Rendered[][]> {
  const results: Rendered[][] = [];
  let endsAt = performance.now() + sliceMs;
  for (const { parts, variables, isPreview, locale } of jobs) {
    if (performance.now() > endsAt) {
      await nextTurn();
      endsAt = performance.now() + sliceMs;
    }
    results.push(
      parts.map(({ source, escaping }) => renderTemplate(source, variables, escaping, { parse, isPreview, locale })),
    );
  }
  return results;
}
