import type { WorkerServices } from '#core/kernel/worker-services.js';
import { recipients } from '../tables/recipient.js';
import { namedReturnPaths, parseMailReport, reportFor } from './parse.js';
import { recordReports } from './record.js';
import type { ReportOutcome } from './report.js';
import { readReturnPath } from './return-path.js';

/** A mail that arrived at a return path, or at the callback. */
export interface ArrivedReport {
  /** The address that it was delivered to: the recipient of its own envelope. */
  readonly envelopeTo: string;
  /** The whole message. */
  readonly raw: Buffer;
}

/**
 * Records a bounce (RFC 3464) or complaint (RFC 5965) that arrived as mail. It counts only if its return path leads to
 * one of our recipients and it reports something about that recipient. Everyone who gets mail can read their own return
 * path, so a report counts only for the address that the mail was sent to.
 * @returns the outcome. `early`: let the sender try again, with a temporary error
 */
export async function recordBounceReport(
  { database, vault, clock, transaction }: Pick<WorkerServices, 'database' | 'vault' | 'clock' | 'transaction'>,
  { envelopeTo, raw }: ArrivedReport,
): Promise<ReportOutcome> {
  const parsed = await parseMailReport(raw);
  if (!parsed) return 'ignored';
  const [owner] = [envelopeTo, ...namedReturnPaths(parsed)].flatMap((path) => readReturnPath(vault, path) ?? []);
  const recipient = owner && (await database.findOne(recipients, { ...owner }));
  if (!recipient || recipient.address === '') return 'ignored';
  const report = reportFor(parsed, recipient.address, clock.now());
  if (!report) return 'ignored';
  const [outcome = 'ignored'] = await transaction('Mail report', (context) =>
    recordReports(context, [{ ...owner, report }]),
  );
  return outcome;
}
