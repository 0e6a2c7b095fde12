import type { WorkerServices } from '#core/kernel/worker-services.js';
import { idBytes } from '#core/runtime/id.js';
import { leaseSeconds } from '#core/runtime/work/queue.js';
import type { OutgoingText, SmsProvider, TextAnswer } from '../providers/provider.js';
import type { MessageRow } from '../tables/message.js';

/** An answer, and whether the provider may have the text (`MessageRow.unclearAt`). */
export type SubmittedText = TextAnswer & Pick<MessageRow, 'unclearAt'>;

/** A text as it was submitted before. `body` is null if its content is gone. */
type Sought = Omit<OutgoingText, 'statusUrl' | 'submitBy' | 'body'> & { readonly body: string | null };

/**
 * Looks for a text that was submitted before without a clear answer: first in the provider's reports, then at the
 * provider, which does not recognise a repeat. An attempt is also unclear if its outcome was not recorded because the
 * process died.
 * @param text with the number that it was last sent from
 * @returns null if every answer was clear, or if the provider has had enough time to know the text and does not know it
 */
export async function lookForText(
  services: Pick<WorkerServices, 'database' | 'clock'>,
  provider: SmsProvider,
  message: MessageRow,
  attempt: number,
  text: Sought,
): Promise<SubmittedText | null> {
  const { database, clock } = services;
  const at = clock.now();
  const unclearAt = message.unclearAt ?? (await unrecordedAt(services, message, attempt));
  if (unclearAt === null) return null;
  const reported = await reportedId(database, message);
  if (reported !== null) return taken(provider, reported, unclearAt);
  const found = await provider.findTexts(text, message.createdAt);
  if (!found.ok) return notYetKnown(`The lookup at ${provider.label} failed: ${found.problem}.`, unclearAt);
  const [id] = await withoutThoseOfOthers(database, message, found.value);
  if (id !== undefined) return taken(provider, id, unclearAt);
  // Nor while the time cannot be trusted: a second text cannot be taken back.
  if (!clock.isTrusted() || at.getTime() - unclearAt.getTime() < provider.findsWithinMs)
    return notYetKnown(`${provider.label} does not have it yet.`, unclearAt);
  return null;
}

/**
 * The outcome of a delivery attempt.
 * @param before as it was recorded: a clear refusal now does not tell what happened to an earlier delivery attempt
 */
export const outcomeAt = (answer: TextAnswer, at: Date, before: Date | null): SubmittedText => ({
  ...answer,
  unclearAt: answer.outcome === 'unclear' ? at : before,
});

const taken = ({ label }: SmsProvider, providerId: string, unclearAt: Date): SubmittedText => ({
  outcome: 'sent',
  providerId,
  code: null,
  response: `${label} accepted it as ${providerId} in an earlier attempt whose response was lost.`,
  unclearAt,
});

const notYetKnown = (words: string, unclearAt: Date): SubmittedText => ({
  outcome: 'temporary',
  providerId: null,
  code: null,
  response: `The outcome of an earlier attempt is unknown, so the message is not submitted again yet. ${words}`,
  unclearAt,
});

/**
 * The latest time at which an attempt without a recorded outcome can have been made; null if all outcomes are recorded.
 */
async function unrecordedAt(
  { database, clock }: Pick<WorkerServices, 'database' | 'clock'>,
  { id }: Pick<MessageRow, 'id'>,
  attempt: number,
): Promise<Date | null> {
  // Counted: later attempts may be recorded, such as those in which svc itself failed.
  const [row] = await database.rows<{ recorded: number }>(
    'SELECT COUNT(*) AS recorded FROM sms_attempt WHERE message_id = ? AND attempt < ?',
    [idBytes(id), attempt],
  );
  // Its lease has ended, or it would not be tried now.
  return (row?.recorded ?? 0) >= attempt - 1 ? null : new Date(clock.now().getTime() - leaseSeconds * 1_000);
}

/** The provider's id of a text, if the provider has reported anything about it. */
async function reportedId(
  database: WorkerServices['database'],
  { id }: Pick<MessageRow, 'id'>,
): Promise<string | null> {
  const [row] = await database.rows<{ provider_id: Buffer }>(
    "SELECT provider_id FROM sms_report WHERE message_id = ? ORDER BY status = 'failed' LIMIT 1",
    [idBytes(id)],
  );
  return row ? row.provider_id.toString() : null;
}

/** Leaves out ids that are known to belong to another text with the same words to the same number. */
async function withoutThoseOfOthers(
  database: WorkerServices['database'],
  { id, environmentId, toNumber }: MessageRow,
  found: readonly string[],
): Promise<string[]> {
  if (found.length === 0) return [];
  const ids = found.map((each) => Buffer.from(each));
  const others = await database.rows<{ provider_id: Buffer }>(
    `SELECT provider_id FROM sms_recipient WHERE provider_id IN (?) AND message_id <> ?
     UNION SELECT r.provider_id FROM sms_recipient x JOIN sms_report r ON r.message_id = x.message_id
       WHERE x.environment_id = ? AND x.address_key = ? AND x.message_id <> ? AND r.provider_id IN (?)`,
    [ids, idBytes(id), idBytes(environmentId), Buffer.from(toNumber), idBytes(id), ids],
  );
  const taken = new Set(others.map((row) => row.provider_id.toString()));
  return found.filter((each) => !taken.has(each));
}
