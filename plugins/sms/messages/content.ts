import type { ThreadOwner } from '#core/runtime/thread-pool.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import type { Guarded } from '#core/messaging/templates/guarded.js';
import {
  refuseUnrendered,
  renderMessages,
  type NamedPart,
  type RenderedParts,
  type Unrendered,
} from '#core/messaging/templates/render.js';

export interface BodyJob {
  /** Liquid. */
  readonly body: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** See RenderJob. */
  readonly guarded?: Guarded;
  /** If variables are missing, render the text with their names too. */
  readonly isPreview?: boolean;
  /** The language of the text, for the names of months and days. */
  readonly locale?: string | undefined;
}

/** The result of rendering one text. */
export type RenderedBody =
  | { ok: true; body: string }
  /** `preview` contains `{{ name }}` in place of each missing variable. */
  | (Extract<Unrendered, { missing: unknown }> & { preview: string })
  | Extract<Unrendered, { part: string }>
  /** The result cannot be sent as a text: “must not …”. */
  | { ok: false; bodyProblem: string };

/**
 * Renders texts in the threads of the render pool. The result is not changed: it is sent as rendered.
 * @param owner turnsOf the environment
 * @returns one result per job, in their order
 * @throws rate_limited if too many of the environment's requests are waiting
 */
export async function renderBodies(owner: ThreadOwner, jobs: readonly BodyJob[]): Promise<RenderedBody[]> {
  // One object for the same text, so that it is sent to the thread once.
  const known = new Map<string, readonly NamedPart<'body'>[]>();
  const partsOf = (body: string): readonly NamedPart<'body'>[] => {
    const parts = known.get(body) ?? [{ part: 'body', source: body, escaping: 'none' }];
    known.set(body, parts);
    return parts;
  };
  const rendered = await renderMessages(
    owner,
    jobs.map(({ body, ...job }) => ({ ...job, parts: partsOf(body) })),
  );
  return rendered.map(bodyOf);
}

function bodyOf(rendered: RenderedParts<'body'>): RenderedBody {
  if (!rendered.ok) return 'part' in rendered ? rendered : { ...rendered, preview: rendered.preview.get('body') ?? '' };
  const body = rendered.texts.get('body') ?? '';
  const problem = bodyProblem(body);
  return problem === null ? { ok: true, body } : { ok: false, bodyProblem: problem };
}

function bodyProblem(body: string): string | null {
  if (body.trim() === '') return 'must not be empty';
  // Line breaks, tabs and form feeds can be sent.
  return /[\p{Cc}\p{Cs}]/u.test(body.replace(/[\n\r\t\f]/g, ''))
    ? 'must not contain control characters or unpaired surrogates'
    : null;
}

/**
 * The text; if there is none, the call is refused.
 * @throws template_invalid, missing_variables naming all of them, invalid_input naming the body
 */
export function bodyOrRefuse(rendered: RenderedBody): string {
  if (rendered.ok) return rendered.body;
  if ('bodyProblem' in rendered) throw invalidField('body', rendered.bodyProblem);
  return refuseUnrendered(rendered);
}
