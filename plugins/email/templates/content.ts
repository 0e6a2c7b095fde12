import type { ThreadOwner } from '#core/runtime/thread-pool.js';
import type { Guarded } from '#core/messaging/templates/guarded.js';
import {
  refuseUnrendered,
  renderMessages,
  type NamedPart,
  type RenderedParts,
  type Unrendered,
} from '#core/messaging/templates/render.js';
import { subjectProblem } from './header.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';

export interface Content {
  subject: string;
  text: string | null;
  html: string | null;
}

/** A content whose texts are Liquid. */
export interface ContentSource extends Content {
  /** Generated from the HTML: blank lines that its tags leave are removed. */
  readonly isTextGenerated?: boolean;
}

interface ContentJob {
  readonly source: ContentSource;
  readonly variables: Readonly<Record<string, unknown>>;
  /** See RenderJob. */
  readonly guarded?: Guarded;
  /** If variables are missing, render the content with their names too. */
  readonly isPreview?: boolean;
  /** The language of the source, for the names of months and days. */
  readonly locale?: string | undefined;
}

/** The result of rendering one message. */
export type RenderedContent =
  | { ok: true; content: Content }
  /** `preview` contains `{{ name }}` in place of each missing variable, if it was requested. */
  | (Extract<Unrendered, { missing: unknown }> & { preview?: Content })
  | Extract<Unrendered, { part: string }>
  /** The rendered subject cannot be a header: “must not …”. */
  | { ok: false; subjectProblem: string };

type Part = NamedPart<keyof Content>;

/** The parts of a source, the same object for the same source, so that they are sent to the thread once. */
function partsOf(source: ContentSource, known: Map<ContentSource, readonly Part[]>): readonly Part[] {
  const found = known.get(source);
  if (found) return found;
  const { subject, text, html } = source;
  const parts: Part[] = [
    { part: 'subject', source: subject, escaping: 'none' },
    ...(text === null ? [] : [{ part: 'text' as const, source: text, escaping: 'none' as const }]),
    ...(html === null ? [] : [{ part: 'html' as const, source: html, escaping: 'html' as const }]),
  ];
  known.set(source, parts);
  return parts;
}

/**
 * Renders messages in the threads of the render pool. Jobs with the same `source` object are cheap.
 * @param owner turnsOf the environment
 * @returns one result per job, in their order
 * @throws rate_limited if too many of the environment's requests are waiting
 */
export async function renderContents(owner: ThreadOwner, jobs: readonly ContentJob[]): Promise<RenderedContent[]> {
  const known = new Map<ContentSource, readonly Part[]>();
  const rendered = await renderMessages(
    owner,
    jobs.map(({ source, ...job }) => ({ ...job, parts: partsOf(source, known) })),
  );
  return jobs.flatMap((job, index) => {
    const each = rendered[index];
    return each ? [contentOf(job, each)] : [];
  });
}

function contentOf({ source, isPreview }: ContentJob, rendered: RenderedParts<keyof Content>): RenderedContent {
  if (!rendered.ok && 'part' in rendered) return rendered;
  const texts = rendered.ok ? rendered.texts : rendered.preview;
  const text = texts.get('text') ?? null;
  const content: Content = {
    subject: texts.get('subject') ?? '',
    text: source.isTextGenerated === true && text !== null ? tidied(text) : text,
    html: texts.get('html') ?? null,
  };
  if (!rendered.ok) return { ok: false, missing: rendered.missing, ...(isPreview ? { preview: content } : {}) };
  const problem = subjectProblem(content.subject);
  return problem === null ? { ok: true, content } : { ok: false, subjectProblem: problem };
}

/**
 * Text without the lines that tags such as `{% if %}` leave empty. Processed line by line: a regular expression for
 * white space before a line's end takes a time that grows with the square of a long run of it.
 */
const tidied = (text: string): string =>
  `${text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;

/**
 * The content; if there is none, the call is refused.
 * @throws template_invalid naming part, line and column; missing_variables naming all of them; invalid_input naming the
 * subject
 */
export function contentOrRefuse(rendered: RenderedContent): Content {
  if (rendered.ok) return rendered.content;
  if ('subjectProblem' in rendered) throw invalidField('subject', rendered.subjectProblem);
  return refuseUnrendered(rendered);
}
