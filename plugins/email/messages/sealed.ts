import type { Cell, Vault } from '#core/runtime/secrets/vault.js';
import type { Content } from './content.js';

const cellOf = (contentId: string): Cell => ({ table: 'email_content', column: 'sealed', row: contentId });

/** Encrypts the content of system mail while it is queued: it may hold a code or a link. */
export const sealContent = (vault: Vault, contentId: string, content: Content): Buffer =>
  vault.seal(JSON.stringify(content), cellOf(contentId));

const isContent = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && 'subject' in value && 'text' in value && 'html' in value;

/** @throws SealedValueError, or Error when the sealed value is no content */
export function openContent(vault: Vault, contentId: string, sealed: Buffer): Content {
  const content: unknown = JSON.parse(vault.open(sealed, cellOf(contentId)).toString('utf8'));
  if (!isContent(content)) throw new Error('A sealed value of email_content is no content.');
  return content;
}
