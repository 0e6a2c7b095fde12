import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { isUnrendered, renderBroadcastTexts, type BroadcastText } from '../broadcasts/content.js';
import { findNumbersFrom } from '../messages/sending-state.js';
import { sealedTexts } from '../messages/sealed.js';
import { contents } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';

/**
 * The content of a text, and the number that it is sent from now, which differs from the number at acceptance if that
 * number was released since. For a broadcast, the content is rendered for the recipient.
 */
export type TextContent = (BroadcastText | { readonly body: string }) & { readonly from: string | null };

/** Reads the contents of texts. @returns by message id; texts whose content is gone are absent */
export async function loadTexts(
  { database, vault, read }: Pick<WorkerServices, 'database' | 'vault' | 'read'>,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<string, TextContent>> {
  const sealedIds = messages.flatMap(({ id, isSystem }) => (isSystem ? [idBytes(id)] : []));
  const environmentIds = [...new Set(messages.map(({ environmentId }) => environmentId))];
  const unrendered = messages.filter(isUnrendered);
  const [sealed, from, rendered] = await Promise.all([
    sealedIds.length === 0
      ? []
      : database.rows<object>(`SELECT ${contents.columnList()} FROM sms_content WHERE id IN (?)`, [sealedIds]),
    read('Delivery of sms', (context) => findNumbersFrom(context, environmentIds)),
    unrendered.length === 0
      ? new Map<string, BroadcastText>()
      : read('Broadcast', (context) => renderBroadcastTexts(context, unrendered)),
  ]);
  const opened = new Map(
    sealed
      .map((row) => contents.decode(row))
      .map((row): [string, string] => [row.id, sealedTexts.open(vault, row.id, row.sealed)]),
  );
  return new Map(
    messages.flatMap(({ id, environmentId, body }) => {
      const stored = body ?? opened.get(id);
      const text = stored === undefined ? rendered.get(id) : { body: stored };
      return text ? [[id, { ...text, from: from.get(environmentId) ?? null }] as const] : [];
    }),
  );
}
