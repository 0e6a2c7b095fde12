import { messagingRefusalOf } from '../errors.js';
import { refuseUntaken, renderJobs, type RenderJob, type RenderPart } from './render-pool.js';
import { valuesFor, type Rendered } from './liquid.js';
import type { ThreadOwner } from '#core/runtime/thread-pool.js';

/** A text of a message, by the name that refusals give it: `subject`, `html`, `body`. */
export type NamedPart<Part extends string> = RenderPart & { readonly part: Part };

export interface PartsJob<Part extends string> extends Omit<RenderJob, 'parts'> {
  readonly parts: readonly NamedPart<Part>[];
}

/** Why a message could not be rendered. */
export type Unrendered =
  /** These variables were not supplied. */
  | { ok: false; missing: readonly string[] }
  /** The template is wrong there, or takes too long. */
  | { ok: false; part: string; line: number; column: number; problem: string };

/** The texts of one message by their parts. `preview` has `{{ name }}` for missing variables, if it was requested. */
export type RenderedParts<Part extends string> =
  | { ok: true; texts: ReadonlyMap<Part, string> }
  | (Extract<Unrendered, { missing: unknown }> & { preview: ReadonlyMap<Part, string> })
  | Extract<Unrendered, { part: string }>;

/**
 * Renders messages in the threads of the render pool. Jobs with the same `parts` object are cheap.
 * @param owner turnsOf the environment; the pool is fair between accounts, then between environments
 * @returns one result per job, in their order
 * @throws rate_limited if too many of the environment's requests wait; unavailable on a busy machine
 */
export async function renderMessages<Part extends string>(
  owner: ThreadOwner,
  jobs: readonly PartsJob<Part>[],
): Promise<RenderedParts<Part>[]> {
  const rendered = await renderJobs(owner, jobs).catch((error: unknown) =>
    refuseUntaken(error, '200 templates of this environment are waiting to be rendered'),
  );
  return jobs.map(({ parts }, index) => partsOf(parts, rendered[index] ?? []));
}

function partsOf<Part extends string>(
  parts: readonly NamedPart<Part>[],
  rendered: readonly Rendered[],
): RenderedParts<Part> {
  const missing = new Set<string>();
  const texts = new Map<Part, string>();
  for (const [index, { part }] of parts.entries()) {
    const result = rendered[index];
    if (!result) throw new Error(`The render pool returned no result for ${part}.`);
    if (result.ok) texts.set(part, result.text);
    else if ('missing' in result) {
      result.missing.forEach((name) => missing.add(name));
      texts.set(part, result.preview ?? '');
    } else return { ...result, part };
  }
  return missing.size > 0 ? { ok: false, missing: [...missing], preview: texts } : { ok: true, texts };
}

/** @throws template_invalid naming part, line and column; missing_variables naming all of them */
export function refuseUnrendered(unrendered: Unrendered): never {
  if ('missing' in unrendered)
    throw messagingRefusalOf.missing_variables({
      names: unrendered.missing.join(', '),
      example: JSON.stringify(valuesFor(unrendered.missing)),
      details: { variables: [...unrendered.missing] },
    });
  const { part, line, column, problem } = unrendered;
  throw messagingRefusalOf.template_invalid({ part, line, column, problem, details: { part, line, column } });
}
