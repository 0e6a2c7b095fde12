import type { Cell, Vault } from '#core/runtime/secrets/vault.js';

/** The contents of system messages while they are queued: encrypted, because they may contain a code or a link. */
interface SealedContents<Content> {
  seal(vault: Vault, contentId: string, content: Content): Buffer;
  /** @throws SealedValueError, or Error if the sealed value is not a content */
  open(vault: Vault, contentId: string, sealed: Buffer): Content;
}

/** @param table a channel's table of contents, whose column `sealed` contains them */
export function sealedContents<Content>(
  table: string,
  isContent: (value: unknown) => value is Content,
): SealedContents<Content> {
  const cellOf = (contentId: string): Cell => ({ table, column: 'sealed', row: contentId });
  return {
    seal: (vault, contentId, content) => vault.seal(JSON.stringify(content), cellOf(contentId)),
    open(vault, contentId, sealed) {
      const content: unknown = JSON.parse(vault.open(sealed, cellOf(contentId)).toString('utf8'));
      if (!isContent(content)) throw new Error(`An encrypted value of ${table} is not message content.`);
      return content;
    },
  };
}
