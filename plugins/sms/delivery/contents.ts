import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { findNumbersFrom } from '../messages/sending-state.js';
import { sealedTexts } from '../messages/sealed.js';
import { contents } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';

/** What a text says, and the number that it leaves from now: another one than when it was accepted, where that was given back since. */
export interface TextContent {
  readonly body: string;
  readonly from: string | null;
}

/** Reads what texts say. @returns by message id; texts whose content is gone are absent */
export async function loadTexts(
  { database, vault, read }: Pick<WorkerServices, 'database' | 'vault' | 'read'>,
  messages: readonly MessageRow[],
): Promise<ReadonlyMap<string, TextContent>> {
  const sealedIds = messages.flatMap(({ id, isSystem }) => (isSystem ? [idBytes(id)] : []));
  const environmentIds = [...new Set(messages.map(({ environmentId }) => environmentId))];
  const [sealed, from] = await Promise.all([
    sealedIds.length === 0
      ? []
      : database.rows<object>(`SELECT ${contents.columnList()} FROM sms_content WHERE id IN (?)`, [sealedIds]),
    read('Delivery of sms', (context) => findNumbersFrom(context, environmentIds)),
  ]);
  const opened = new Map(
    sealed
      .map((row) => contents.decode(row))
      .map((row): [string, string] => [row.id, sealedTexts.open(vault, row.id, row.sealed)]),
  );
  return new Map(
    messages.flatMap(({ id, environmentId, body }) => {
      const text = body ?? opened.get(id);
      return text === undefined ? [] : [[id, { body: text, from: from.get(environmentId) ?? null }] as const];
    }),
  );
}
