import { createHash } from 'node:crypto';
import type { Found, MovedTemplate, Place } from '../found.js';
import { left, note } from '../sources/source.js';
import type { Translation } from './translation.js';

const limits = { subject: 998, body: 262_144 } as const;

/** The name of a template here. */
interface TemplateName {
  readonly name: string;
  /** See MovedTemplate. */
  readonly earlierName?: string;
}

/**
 * The name of a template here: `mailchimp.spring-sale`. Names with the service's never override system templates. A
 * name that is not only words with single spaces or hyphens between them gets a digest of it, so that “Sale!” and
 * “Sale?” stay two. Earlier versions added it only to names with other letters.
 */
export function templateName(service: string, name: string): TemplateName {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 70);
  const isLossy = slug === '' || /[^\p{ASCII}]/u.test(plain) || plain.length > 70;
  const digest = createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 8);
  const named = (...parts: string[]): string => `${service.toLowerCase()}.${[slug || 'template', ...parts].join('-')}`;
  if (isLossy) return { name: named(digest) };
  return /^\w+(?:[ -]\w+)*$/.test(name) ? { name: named() } : { name: named(digest), earlierName: named() };
}

interface Parts {
  readonly subject: Translation;
  readonly html?: Translation;
  readonly text?: Translation;
}

/** A template with what could not be translated as notes. */
export function foundTemplate(place: Place, named: TemplateName, { subject, html, text }: Parts): Found {
  const { name, earlierName = name } = named;
  if ((html ?? text)?.text.trim() === '') return left(place, name, 'the template is empty', false);
  if (subject.text.length > limits.subject)
    return left(place, name, `a subject has at most ${limits.subject} characters`);
  if ([html, text].some((part) => (part?.text.length ?? 0) > limits.body))
    return left(place, name, `a template has at most ${limits.body} characters`);
  const untranslated = [subject, html, text].flatMap((part) => part?.untranslated ?? []);
  const template: MovedTemplate = {
    ...named,
    subject: subject.text.trim() === '' ? earlierName : subject.text,
    ...(html ? { html: html.text } : {}),
    ...(text ? { text: text.text } : {}),
    untranslated: [...new Set(untranslated)],
  };
  const notes = template.untranslated.map((piece) => note(place, name, `left as it is, in a draft only: ${piece}`));
  return { place, notes, template };
}
