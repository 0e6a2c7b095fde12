import type { Origin } from '#core/messaging/origins.js';
import { html, type Markup } from './html.js';

const words: Readonly<Record<Origin['kind'], string>> = {
  single: '',
  broadcast: 'Broadcast',
  automation: 'Automation',
  system: 'System',
};

/** Marks of a message in the list: what sent it, unless it is a single one, and whether from a test environment. */
export const badgesOf = ({ kind, environment }: Origin): Markup[] =>
  [words[kind], environment === 'test' ? 'Test' : ''].map(
    (label) => label !== '' && html`<span class="badge">${label}</span>${' '}`,
  );

/**
 * What sent a message, in words: an operation that shows more, and its id. @param product whose operation it is:
 * `email`, `sms`
 */
export function sentBy(product: string, { kind, id }: Origin): Markup {
  if (kind === 'single') return 'A single message';
  if (kind === 'system') return 'svc itself, for the project';
  return html`${kind === 'broadcast' ? 'A broadcast ' : 'An automation '}
    (<code>${kind === 'automation' ? 'email' : product}.${kind}.get</code>${' '} <code>${id ?? ''}</code>)`;
}
