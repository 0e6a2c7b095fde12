import { turnsOfEnvironment } from '#core/kernel/environment/turns.js';
import type { WorkerServices } from '#core/kernel/worker-services.js';
import type { RecipientRow } from '#core/messaging/tables.js';
import { recipients } from '../tables/recipient.js';
import { namedReturnPaths, reportFor } from '../bounces/parse.js';
import { recordReports } from '../bounces/record.js';
import type { ReportOutcome } from '../bounces/report.js';
import { readReturnPath, type ReturnPathOwner } from '../bounces/return-path.js';
import { parseReportInThread } from './parse/mail-pool.js';

/** A mail that arrived at a return path, or at the callback. */
interface ArrivedReport {
  /** The address that it was delivered to: the recipient of its envelope. */
  readonly envelopeTo: string;
  /** The whole message. */
  readonly raw: Buffer;
}

type ReportServices = Pick<WorkerServices, 'database' | 'vault' | 'clock' | 'transaction'>;

/** Mail whose envelope names none of our return paths: abuse reports, which name it inside. They share one turn. */
const unknownOwner = 'reports without a return path';

/**
 * Records a bounce (RFC 3464) or complaint (RFC 5965) that arrived as mail. It counts only if its return path leads to
 * one of our recipients and it reports something about that recipient. Everyone who gets mail can read their own return
 * path, so a report counts only for the address that the mail was sent to. The mail is parsed in a thread, after the
 * return path of its envelope is known to exist.
 * @returns the outcome. `early`: let the sender try again, with a temporary error
 * @throws ThreadQueueFull, ThreadStarved: let the sender try again
 */
export async function recordBounceReport(
  services: ReportServices,
  { envelopeTo, raw }: ArrivedReport,
): Promise<ReportOutcome> {
  const addressed = readReturnPath(services.vault, envelopeTo);
  const known = addressed && (await recipientOf(services, addressed));
  if (addressed && !known) return 'ignored';
  const owner = known ? await turnsOfEnvironment(services.database, known.environmentId) : [unknownOwner];
  const parsed = await parseReportInThread(owner, raw);
  if (!parsed) return 'ignored';
  const [named] = known ? [] : namedReturnPaths(parsed).flatMap((path) => readReturnPath(services.vault, path) ?? []);
  const recipient = known ?? (named ? await recipientOf(services, named) : null);
  if (!recipient) return 'ignored';
  const report = reportFor(parsed, recipient.address, services.clock.now());
  if (!report) return 'ignored';
  const { messageId, position } = recipient;
  const [outcome = 'ignored'] = await services.transaction('Mail report', (context) =>
    recordReports(context, [{ messageId, position, report }]),
  );
  return outcome;
}

/** @returns null if it does not exist, or its person was erased */
async function recipientOf(
  { database }: Pick<ReportServices, 'database'>,
  { messageId, position }: ReturnPathOwner,
): Promise<RecipientRow | null> {
  const recipient = await database.findOne(recipients, { messageId, position });
  return recipient && recipient.address !== '' ? recipient : null;
}
