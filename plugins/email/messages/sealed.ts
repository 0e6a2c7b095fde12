import type { Place, Vault } from '#core/runtime/secrets/vault.js';
import type { Content } from './content.js';

const place = (messageId: string): Place => ({ table: 'email_content', column: 'sealed', row: messageId });

/** System mail while it is queued: encrypted, because it may hold a code or a link. */
export const sealContent = (vault: Vault, messageId: string, content: Content): Buffer =>
  vault.seal(JSON.stringify(content), place(messageId));

const isContent = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && 'subject' in value && 'text' in value && 'html' in value;

/** @throws SealedValueError, or Error when what was sealed is no content */
export function openContent(vault: Vault, messageId: string, sealed: Buffer): Content {
  const content: unknown = JSON.parse(vault.open(sealed, place(messageId)).toString('utf8'));
  if (!isContent(content)) throw new Error('A sealed message holds no content.');
  return content;
}
