import { refusalOf } from '#core/kernel/errors/common.js';
import { renderParts, RenderQueueFull } from '#core/messaging/templates/render-pool.js';
import { validateSubject, invalidField } from './validate.js';
import type { MessageInput } from './input.js';

export interface Content {
  subject: string;
  text: string | null;
  html: string | null;
}

/**
 * Renders subject, text and HTML in a thread of the render pool.
 * @param environmentId the message's environment; the pool is fair between environments
 * @throws template_invalid naming part, line and column; missing_variables naming all of them; rate_limited when too many wait
 */
export async function renderContent(environmentId: string, input: MessageInput): Promise<Content> {
  if (input.text === undefined && input.html === undefined)
    throw invalidField('text', 'is required when html is not given');
  const parts = [
    { part: 'subject', source: input.subject, escaping: 'none' as const },
    ...(input.text === undefined ? [] : [{ part: 'text', source: input.text, escaping: 'none' as const }]),
    ...(input.html === undefined ? [] : [{ part: 'html', source: input.html, escaping: 'html' as const }]),
  ];
  const rendered = await renderParts(environmentId, { parts, variables: input.variables ?? {} }).catch(refuseWhenFull);
  const missing = new Set<string>();
  const texts = new Map<string, string>();
  for (const [index, { part }] of parts.entries()) {
    const result = rendered[index];
    if (!result) throw new Error(`The render pool returned no result for ${part}.`);
    if (result.ok) texts.set(part, result.text);
    else if ('missing' in result) result.missing.forEach((name) => missing.add(name));
    else {
      const { line, column, problem } = result;
      throw refusalOf.template_invalid({ part, line, column, problem, details: { part, line, column } });
    }
  }
  if (missing.size > 0)
    throw refusalOf.missing_variables({ names: [...missing].join(', '), details: { variables: [...missing] } });
  const subject = texts.get('subject') ?? '';
  validateSubject(subject);
  return { subject, text: texts.get('text') ?? null, html: texts.get('html') ?? null };
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof RenderQueueFull)) throw error;
  throw refusalOf.rate_limited({ limit: '200 templates of this environment are waiting to be rendered', seconds: 1 });
}
