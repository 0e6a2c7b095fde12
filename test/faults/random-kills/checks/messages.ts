import { idText } from '#core/runtime/id.js';
import type { Entry } from '../journal.js';
import { acceptedOf, answered, byId, checkRepeats, type Evidence } from './check.js';

/** Ids of messages whose cancellation was accepted. */
const cancelledIds = (evidence: Evidence, channel: string): Set<string> =>
  new Set(acceptedOf(evidence.journal, `${channel}.message.cancel`).map(({ input }) => String(input['messageId'])));

/** The stored messages of single sends, by id. */
async function storedMessages({ db }: Evidence, channel: 'email' | 'sms'): Promise<Map<string, string>> {
  const rows = await db.rows<{ id: Buffer; status: Buffer }>(
    `SELECT id, status FROM ${channel}_message WHERE broadcast_id IS NULL AND is_system = 0`,
  );
  return new Map(rows.map((row) => [idText(row.id), row.status.toString()]));
}

/** Accepted, stored and delivered are the same mails; a cancelled one did not arrive. @returns how many came twice */
export async function checkMails(evidence: Evidence): Promise<number> {
  const { journal, violations } = evidence;
  const sends = acceptedOf(journal, 'email.send');
  const stored = await storedMessages(evidence, 'email');
  const cancelled = cancelledIds(evidence, 'email');
  const arrived = byId(journal.mails);
  checkStored(evidence, 'email', stored, cancelled);
  for (const entry of sends) {
    const id = answered(entry, 'result', 'messageId');
    const copies = arrived.get(id) ?? [];
    if (cancelled.has(id) && copies.length > 0)
      violations.add('A cancelled message does not leave', `Mail ${id} of ${entry.key} arrived.`);
    if (!cancelled.has(id) && copies.length === 0)
      violations.add('An accepted message is delivered', `Mail ${id} of ${entry.key} did not arrive.`);
  }
  const attempts = await evidence.db.rows<{ id: Buffer }>(
    "SELECT DISTINCT message_id AS id FROM email_attempt WHERE status <> 'sent'",
  );
  return checkRepeats(evidence, 'Mail', arrived.values(), new Set(attempts.map(({ id }) => idText(id))));
}

/** The same for texts, which never come twice. */
export async function checkTexts(evidence: Evidence): Promise<void> {
  const { journal, violations } = evidence;
  const stored = await storedMessages(evidence, 'sms');
  const cancelled = cancelledIds(evidence, 'sms');
  checkStored(evidence, 'sms', stored, cancelled);
  const arrived = byId(journal.texts);
  for (const entry of acceptedOf(journal, 'sms.send')) {
    const id = answered(entry, 'result', 'messageId');
    const times = arrived.get(String(entry.input['body']))?.length ?? 0;
    if (cancelled.has(id) && times > 0)
      violations.add('A cancelled message does not leave', `Text ${id} of ${entry.key} arrived.`);
    if (stored.get(id) === 'sent' && times === 0)
      violations.add('An accepted message is delivered', `Text ${id} of ${entry.key} did not arrive.`);
    if (times > 1) violations.add('No text comes twice', `Text ${id} of ${entry.key} arrived ${times} times.`);
  }
}

/** The final statuses of a message that nobody cancelled. */
function statusesOf(entry: Entry): readonly string[] {
  if (answered(entry, 'result', 'status') === 'suppressed') return ['suppressed'];
  // The recipient's STOP may have come first.
  return entry.key.endsWith('.before') ? ['sent', 'suppressed'] : ['sent'];
}

function checkStored(
  { journal, violations }: Evidence,
  channel: 'email' | 'sms',
  stored: ReadonlyMap<string, string>,
  cancelled: ReadonlySet<string>,
): void {
  const promise = 'What was accepted is stored, once';
  const known = new Set<string>();
  for (const entry of acceptedOf(journal, `${channel}.send`)) {
    const id = answered(entry, 'result', 'messageId');
    if (known.has(id)) violations.add(promise, `${entry.key} was answered with the message ${id} of another call.`);
    known.add(id);
    const status = stored.get(id) ?? '';
    const expected = cancelled.has(id) ? ['cancelled'] : statusesOf(entry);
    if (!expected.includes(status))
      violations.add(
        promise,
        `${channel} ${id} of ${entry.key} is ${status === '' ? 'not stored' : status} instead of ${expected.join(' or ')}.`,
      );
  }
  for (const id of stored.keys())
    if (!known.has(id)) violations.add(promise, `${channel} ${id} is stored, but no call was answered with it.`);
}
