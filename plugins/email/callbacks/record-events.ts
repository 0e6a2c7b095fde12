import type { Services } from '#core/kernel/services.js';
import { mailboxKey } from '#core/kernel/schema/email-address.js';
import { formats } from '#core/kernel/schema/formats.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idBytes } from '#core/runtime/id.js';
import type { Vault } from '#core/runtime/secrets/vault.js';
import { recordReports } from '../bounces/record.js';
import type { OwnedReport, ReportOutcome } from '../bounces/report.js';
import { readReturnPath } from '../bounces/return-path.js';
import { recipients } from '../tables/recipient.js';
import type { ProviderEvent } from './adapter.js';

/** Events per transaction: few enough not to hold locks for long. */
const batchSize = 100;

/**
 * Finds the recipients that a provider's events are about, and records the reports.
 * @returns how many events had which outcome
 */
export async function recordEvents(
  { transaction, vault }: Pick<Services, 'transaction' | 'vault'>,
  events: readonly ProviderEvent[],
): Promise<Record<ReportOutcome, number>> {
  const counts = { recorded: 0, repeated: 0, early: 0, ignored: 0 };
  for (let from = 0; from < events.length; from += batchSize) {
    const batch = events.slice(from, from + batchSize);
    const outcomes = await transaction('Mail reports', async (context) => {
      const owned = await findRecipients(context.db, vault, batch);
      return recordReports(context, owned);
    });
    for (const outcome of outcomes) counts[outcome] += 1;
    counts.ignored += batch.length - outcomes.length;
  }
  return counts;
}

/** Our message id in a value that a provider repeats: the id itself, or a Message-ID header. */
function messageIdIn(text: string): string | null {
  const id = text.trim().replace(/^<|>$/g, '').split('@')[0]?.toLowerCase() ?? '';
  return formats['uuid']?.(id) === true ? id : null;
}

/**
 * The recipients of the given events: by their return path, by our message id, or by the provider's id. Each is
 * combined with the address, so that an event never counts for another recipient of the same message.
 * @returns the events whose recipient is known
 */
async function findRecipients(db: ReadSession, vault: Vault, events: readonly ProviderEvent[]): Promise<OwnedReport[]> {
  const named = events.map(({ returnPath, messageIds, providerId, address, report }) => {
    const owner = returnPath === null ? null : readReturnPath(vault, returnPath);
    const ids = messageIds.flatMap((text) => messageIdIn(text) ?? []);
    const bareId = providerId?.replace(/^<|>$/g, '') ?? '';
    return {
      messageIds: owner ? [owner.messageId] : ids,
      // Longer ids are not stored.
      providerId: bareId.length > 255 ? '' : bareId,
      key: mailboxKey(address),
      report,
    };
  });
  const messageIds = [...new Set(named.flatMap((each) => each.messageIds))].map(idBytes);
  const providerIds = [...new Set(named.flatMap(({ providerId }) => (providerId === '' ? [] : [providerId])))];
  const select = `SELECT ${recipients.columnList()} FROM email_recipient WHERE`;
  const [byMessage, byProvider] = await Promise.all([
    messageIds.length === 0 ? [] : db.rows<object>(`${select} message_id IN (?)`, [messageIds]),
    providerIds.length === 0
      ? []
      : db.rows<object>(`${select} provider_id IN (?)`, [providerIds.map((id) => Buffer.from(id))]),
  ]);
  const rows = [...byMessage, ...byProvider].map(recipients.decode);
  return named.flatMap(({ messageIds: ids, providerId, key, report }) => {
    const isTheirs = (row: (typeof rows)[number]): boolean => row.addressKey === key && row.address !== '';
    const found =
      rows.find((row) => ids.includes(row.messageId) && isTheirs(row)) ??
      rows.find((row) => providerId !== '' && row.providerId === providerId && isTheirs(row));
    return found ? [{ messageId: found.messageId, position: found.position, report }] : [];
  });
}
