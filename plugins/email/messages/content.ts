import { refusalOf } from '#core/kernel/errors/common.js';
import type { Rendered } from '#core/messaging/templates/liquid.js';
import { renderJobs, RenderQueueFull, type RenderPart } from '#core/messaging/templates/render-pool.js';
import { subjectProblem } from './header.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';

export interface Content {
  subject: string;
  text: string | null;
  html: string | null;
}

/** A content whose texts are Liquid. */
export interface ContentSource extends Content {
  /** Made from the HTML: blank lines that its tags leave are removed. */
  readonly isTextGenerated?: boolean;
}

export interface ContentJob {
  readonly source: ContentSource;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Where variables are missing, render the content with their names too. */
  readonly isPreview?: boolean;
}

/** What became of rendering one message. */
export type RenderedContent =
  | { ok: true; content: Content }
  /** These variables were not supplied. `preview` has `{{ name }}` in their places, where it was asked for. */
  | { ok: false; missing: readonly string[]; preview?: Content }
  /** The template is wrong there, or takes too long. */
  | { ok: false; part: string; line: number; column: number; problem: string }
  /** The rendered subject cannot be a header: “must not …”. */
  | { ok: false; subjectProblem: string };

type NamedPart = RenderPart & { readonly part: keyof Content };

/** The parts of a source, the same object for the same source, so that they are sent to the thread once. */
function partsOf(source: ContentSource, known: Map<ContentSource, readonly NamedPart[]>): readonly NamedPart[] {
  const found = known.get(source);
  if (found) return found;
  const { subject, text, html } = source;
  const parts: NamedPart[] = [
    { part: 'subject', source: subject, escaping: 'none' },
    ...(text === null ? [] : [{ part: 'text' as const, source: text, escaping: 'none' as const }]),
    ...(html === null ? [] : [{ part: 'html' as const, source: html, escaping: 'html' as const }]),
  ];
  known.set(source, parts);
  return parts;
}

/**
 * Renders messages in the threads of the render pool. Jobs with the same `source` object are cheap.
 * @param partition the environment's id; the pool is fair between partitions
 * @returns one result per job, in their order
 * @throws rate_limited when too many of the partition's requests wait
 */
export async function renderContents(partition: string, jobs: readonly ContentJob[]): Promise<RenderedContent[]> {
  const known = new Map<ContentSource, readonly NamedPart[]>();
  const all = jobs.map(({ source, variables, isPreview }) => ({
    parts: partsOf(source, known),
    variables,
    isPreview,
  }));
  const rendered = await renderJobs(partition, all).catch(refuseWhenFull);
  return jobs.map((job, index) => contentOf(job, partsOf(job.source, known), rendered[index] ?? []));
}

function contentOf(
  { source, isPreview }: ContentJob,
  parts: readonly NamedPart[],
  rendered: readonly Rendered[],
): RenderedContent {
  const missing = new Set<string>();
  const texts = new Map<string, string>();
  for (const [index, { part }] of parts.entries()) {
    const result = rendered[index];
    if (!result) throw new Error(`The render pool returned no result for ${part}.`);
    if (result.ok) texts.set(part, result.text);
    else if ('missing' in result) {
      result.missing.forEach((name) => missing.add(name));
      texts.set(part, result.preview ?? '');
    } else return { ...result, part };
  }
  const text = texts.get('text') ?? null;
  const content: Content = {
    subject: texts.get('subject') ?? '',
    text: source.isTextGenerated === true && text !== null ? tidied(text) : text,
    html: texts.get('html') ?? null,
  };
  if (missing.size > 0) return { ok: false, missing: [...missing], ...(isPreview ? { preview: content } : {}) };
  const problem = subjectProblem(content.subject);
  return problem === null ? { ok: true, content } : { ok: false, subjectProblem: problem };
}

/** Text without the lines that tags such as `{% if %}` leave empty. */
const tidied = (text: string): string =>
  `${text
    .replace(/[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;

/**
 * The content, where the call is refused otherwise.
 * @throws template_invalid naming part, line and column; missing_variables naming all of them; invalid_input naming the subject
 */
export function contentOrRefuse(rendered: RenderedContent): Content {
  if (rendered.ok) return rendered.content;
  if ('missing' in rendered)
    throw refusalOf.missing_variables({
      names: rendered.missing.join(', '),
      details: { variables: [...rendered.missing] },
    });
  if ('subjectProblem' in rendered) throw invalidField('subject', rendered.subjectProblem);
  const { part, line, column, problem } = rendered;
  throw refusalOf.template_invalid({ part, line, column, problem, details: { part, line, column } });
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof RenderQueueFull)) throw error;
  throw refusalOf.rate_limited({ limit: '200 templates of this environment are waiting to be rendered', seconds: 1 });
}
