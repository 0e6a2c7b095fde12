import { setTimeout as pause } from 'node:timers/promises';
import type { Deployment } from './deployment.js';
import { checkBroadcasts } from './checks/broadcasts.js';
import type { Evidence } from './checks/check.js';
import { checkInvoices } from './checks/invoices.js';
import { checkReceived, checkStops } from './checks/inbound.js';
import { checkLeft, settle } from './checks/left.js';
import { checkMails, checkTexts } from './checks/messages.js';
import { checkMessageEvents, checkRecords } from './checks/records.js';
import { checkSessions } from './checks/sessions.js';
import { checkUsage } from './checks/usage.js';
import { checkWebhooks } from './checks/webhooks.js';
import { compareRepeat, createCaller, repeatEntry, type CallerOptions } from './client.js';
import type { Entry } from './journal.js';

/** Operations whose answers have tokens: they are replayed for 30 s only. */
const shortLived = new Set(['auth.signin.verify', 'auth.session.refresh']);
/** How many earlier calls are repeated. A key may make 600 calls a minute. */
const repeated = 300;

export interface Checked {
  /** How long the work took that was left when the clients had ended. */
  readonly settledMs: number | undefined;
  readonly mailRepeats: number;
  readonly webhookRepeats: number;
}

/** Waits until no work is left, and checks every promise over the whole run. */
export async function checkAll(
  deployment: Deployment,
  options: CallerOptions,
  journalProviders: () => void,
): Promise<Checked> {
  const { journal, violations, random } = options;
  const { db } = deployment;
  const [row] = await db.rows<{ id: Buffer }>("SELECT id FROM svc_environment WHERE kind = 'live' ORDER BY id LIMIT 1");
  if (!row) throw new Error('There is no environment.');
  const evidence: Evidence = { db, journal, violations, environment: row.id };
  const settledMs = await settle(evidence);
  // Texts and charges are written down a moment after they are answered.
  journalProviders();
  await checkLeft(evidence);
  await checkRecords(evidence);
  await checkMessageEvents(evidence);
  const mailRepeats = await checkMails(evidence);
  await checkTexts(evidence);
  await checkBroadcasts(evidence);
  await checkSessions(evidence);
  await checkStops(evidence);
  await checkReceived(evidence);
  await checkInvoices(evidence);
  const webhookRepeats = await checkWebhooks(evidence);
  const owner = createCaller(await deployment.liveKey(), options);
  await checkUsage(evidence, () => owner.read('billing.usage.get', {}));
  const candidates = [...journal.entries.values()].filter(
    ({ operation }) => !shortLived.has(operation) && !operation.startsWith('callback.'),
  );
  const sample: Entry[] = Array.from(
    { length: Math.min(repeated, candidates.length) },
    () => candidates[Math.floor(random() * candidates.length)],
  ).flatMap((entry) => entry ?? []);
  for (const entry of sample) {
    const [address = ''] = deployment.addresses();
    compareRepeat(entry, await repeatEntry(address, entry), violations);
    await pause(5);
  }
  return { settledMs, mailRepeats, webhookRepeats };
}
