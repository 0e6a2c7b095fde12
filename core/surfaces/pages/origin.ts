import type { Origin } from '#core/messaging/origins.js';
import { html, type Markup } from './html.js';

const words: Readonly<Record<Origin['kind'], string>> = {
  single: '',
  broadcast: 'Broadcast',
  automation: 'Automation',
  system: 'System',
};

/**
 * Marks of a message in the list: its sender, unless it is a single message, and whether it is from a test environment.
 */
export const badgesOf = ({ kind, environment }: Origin): Markup[] =>
  [words[kind], environment === 'test' ? 'Test' : ''].map(
    (label) => label !== '' && html`<span class="badge">${label}</span>${' '}`,
  );

/**
 * A description of a message's sender: an operation that shows more, and its id. @param product the product of the
 * operation: `email`, `sms`
 */
export function sentBy(product: string, { kind, id }: Origin): Markup {
  if (kind === 'single') return 'A single message';
  if (kind === 'system') return 'svc itself, for the project';
  return html`${kind === 'broadcast' ? 'A broadcast ' : 'An automation '}
    (<code>${kind === 'automation' ? 'email' : product}.${kind}.get</code>${' '} <code>${id ?? ''}</code>)`;
}
