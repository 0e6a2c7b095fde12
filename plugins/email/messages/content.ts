import { refusalOf } from '#core/kernel/errors/common.js';
import type { Escaping } from '#core/messaging/templates/liquid.js';
import { renderTemplate } from '#core/messaging/templates/liquid.js';
import { validateSubject, invalidField } from './validate.js';
import type { MessageInput } from './input.js';

export interface Content {
  subject: string;
  text: string | null;
  html: string | null;
}

type Part = 'subject' | 'text' | 'html';

/**
 * Fills the variables in.
 * @throws template_invalid naming part, line and column; missing_variables naming all of them
 */
export function renderContent(input: MessageInput): Content {
  if (input.text === undefined && input.html === undefined)
    throw invalidField('text', 'is required, unless html is given');
  const missing = new Set<string>();
  const render = (part: Part, source: string | undefined, escaping: Escaping): string | null => {
    if (source === undefined) return null;
    const rendered = renderTemplate(source, input.variables ?? {}, escaping);
    if (rendered.ok) return rendered.text;
    if (!('missing' in rendered)) {
      const { line, column, problem } = rendered;
      throw refusalOf.template_invalid({ part, line, column, problem, details: { part, line, column } });
    }
    rendered.missing.forEach((name) => missing.add(name));
    return '';
  };
  const subject = render('subject', input.subject, 'none') ?? '';
  const text = render('text', input.text, 'none');
  const html = render('html', input.html, 'html');
  if (missing.size > 0)
    throw refusalOf.missing_variables({ names: [...missing].join(', '), details: { variables: [...missing] } });
  validateSubject(subject);
  return { subject, text, html };
}
