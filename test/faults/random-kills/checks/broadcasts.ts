import { idBytes } from '#core/runtime/id.js';
import { listAt, at } from '#test/support/json.js';
import type { Arrival, Entry } from '../journal.js';
import { acceptedOf, answered, type Evidence } from './check.js';

/** A submission begins within this time after the consent was checked (docs/reliability.md), on a busy machine too. */
const submissionMs = 1_000;

/**
 * Everybody who had consented when a broadcast was sent gets it; nobody does who had opted out before, or whose
 * submission began after an opt-out was answered.
 */
export async function checkBroadcasts(evidence: Evidence): Promise<void> {
  const { db, journal, violations } = evidence;
  const imports = new Map(acceptedOf(journal, 'audience.contact.import').map((entry) => [topicOf(entry), entry]));
  const revokes = new Map<string, Entry>(
    acceptedOf(journal, 'audience.consent.revoke').map((entry) => [String(entry.input['email']), entry]),
  );
  const created = new Map(
    acceptedOf(journal, 'email.broadcast.create').map((entry) => [answered(entry, 'result', 'broadcast', 'id'), entry]),
  );
  const arrivals = new Map<string, Arrival[]>();
  for (const mail of journal.mails) arrivals.set(mail.to, [...(arrivals.get(mail.to) ?? []), mail]);

  for (const send of acceptedOf(journal, 'email.broadcast.send')) {
    const id = String(send.input['broadcastId']);
    const topic = String(created.get(id)?.input['topic']);
    const contacts = listAt(imports.get(topic)?.input, 'contacts').map((contact) => String(at(contact, 'email')));
    const rows = await db.rows<{ address: string; status: Buffer; found: number }>(
      `SELECT email_recipient.address, email_message.status, COUNT(*) AS found FROM email_message
       JOIN email_recipient ON email_recipient.message_id = email_message.id WHERE broadcast_id = ? GROUP BY address, status`,
      [idBytes(id)],
    );
    const stored = new Map(rows.map((row) => [row.address, { ...row, status: row.status.toString() }]));
    for (const address of contacts) {
      const revoke = revokes.get(address);
      const hadOptedOut = revoke?.answer !== undefined && revoke.answer.at < send.begunAt;
      const row = stored.get(address);
      const copies = arrivals.get(address) ?? [];
      if (hadOptedOut ? row !== undefined : row === undefined && revoke === undefined)
        violations.add(
          'A broadcast reaches those who have consented',
          `${topic}: ${address} is ${row?.status ?? 'not a recipient'}.`,
        );
      if ((row?.found ?? 1) !== 1)
        violations.add(
          'A broadcast makes one message for each contact',
          `${topic}: ${address} has ${row?.found ?? 0}.`,
        );
      if (revoke === undefined && row !== undefined && (row.status !== 'sent' || copies.length === 0))
        violations.add(
          'An accepted message is delivered',
          `${topic}: ${address} is ${row.status}, ${copies.length} mails arrived.`,
        );
      checkOptOut(evidence, topic, revoke, copies);
    }
    const [status] = await db.rows<{ status: Buffer }>('SELECT status FROM email_broadcast WHERE id = ?', [
      idBytes(id),
    ]);
    if (status?.status.toString() !== 'sent')
      violations.add('Nothing is stuck', `The broadcast ${topic} is ${status?.status.toString() ?? 'not stored'}.`);
  }
}

const topicOf = ({ input }: Entry): string => String(at(listAt(input, 'consents')[0], 'topic'));

function checkOptOut(
  { journal: { kills }, violations }: Evidence,
  topic: string,
  revoke: Entry | undefined,
  copies: readonly Arrival[],
): void {
  const answer = revoke?.answer;
  if (!answer) return;
  for (const { to, begunAt } of copies) {
    if (begunAt <= answer.at + submissionMs) continue;
    // A node that stood still may have begun the submission before the opt-out.
    const stoodStill = kills.some(
      (kill) => kill.kind === 'SIGSTOP' && kill.at <= answer.at && begunAt <= kill.servedAt + 5_000,
    );
    if (stoodStill) continue;
    const row = `${topic}: ${to} opted out at ${new Date(answer.at).toISOString()}, and a mail began at ${new Date(begunAt).toISOString()}.`;
    violations.add('No message leaves after an opt-out', row);
  }
}
