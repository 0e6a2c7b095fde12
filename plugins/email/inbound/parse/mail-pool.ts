import { availableParallelism } from 'node:os';
import { createThreadPool, ThreadEnded } from '#core/runtime/thread-pool.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import { reportBytes, type MailReport } from '../../bounces/parse.js';
import type {
  KeyRecords,
  MailAnswer,
  MailJob,
  ParsedMail,
  SubmittedMail,
  UnparsedMail,
  VerifiedSignatures,
} from './parsed.js';

/*
 * Received mail is parsed, and its signatures are checked, in threads: anybody can send anything. A message that takes
 * too much CPU time or memory is refused, and delays only other mail of its account. Small mail passes large mail.
 */

const mebibyte = 1024 * 1024;
/** Personal mail without attachments is smaller. */
const largeBytes = 256 * 1024;

const pool = createThreadPool<MailJob, MailAnswer>({
  module: new URL('./mail-thread.js', import.meta.url),
  // One account may use all threads but one.
  maxThreads: Math.max(2, availableParallelism()) + 1,
  isLarge: ({ raw }) => raw.length > largeBytes,
  maxWaiting: 50,
  cpuMs: ({ raw }) => 5_000 + Math.ceil((raw.length / mebibyte) * 500),
  heapMb: 256,
});

/**
 * Parses a message.
 * @param owner turnsOf the environment whose message it is
 * @throws ThreadQueueFull, ThreadStarved, Error if no thread can start: try again later
 */
export async function parseInThread(owner: Turns, raw: Buffer): Promise<ParsedMail | UnparsedMail> {
  const answer = await parsed(owner, { kind: 'parse', raw });
  if (answer.kind === 'parsed') return answer.mail;
  if (answer.kind === 'refused') return answer;
  throw unparsed(answer);
}

/**
 * Parses a message that a program submits.
 * @param owner turnsOf the environment that sends it
 * @throws as `parseInThread`
 */
export async function parseSubmittedInThread(owner: Turns, raw: Buffer): Promise<SubmittedMail | UnparsedMail> {
  const answer = await parsed(owner, { kind: 'submitted', raw });
  if (answer.kind === 'submitted') return answer.mail;
  if (answer.kind === 'refused') return answer;
  throw unparsed(answer);
}

const unparsed = (answer: MailAnswer): Error =>
  new Error(`Mail was not parsed: ${answer.kind === 'failed' ? answer.problem : 'another answer'}`);

async function parsed(owner: Turns, job: MailJob): Promise<MailAnswer> {
  try {
    return await pool.run(owner, job);
  } catch (error) {
    if (error instanceof ThreadEnded) return { kind: 'refused', refusal: 'too_complex', problem: error.message };
    throw error;
  }
}

/**
 * Parses the report in a mail.
 * @param owner turnsOf the environment whose mail it is about, or another name that takes turns with accounts
 * @returns null for a mail that is not a report, cannot be parsed, or takes too long
 * @throws as `parseInThread`
 */
export async function parseReportInThread(owner: Turns, raw: Buffer): Promise<MailReport | null> {
  try {
    // A copy: a part of a buffer would be posted with the whole buffer.
    const answer = await pool.run(owner, { kind: 'report', raw: new Uint8Array(reportBytes(raw)) });
    return answer.kind === 'report' ? answer.report : null;
  } catch (error) {
    if (error instanceof ThreadEnded) return null;
    throw error;
  }
}

/**
 * Checks the signatures of a message.
 * @param owner as for parseInThread
 * @returns null if that takes too long
 * @throws as `parseInThread`
 */
export async function verifyInThread(owner: Turns, raw: Buffer, keys: KeyRecords): Promise<VerifiedSignatures | null> {
  try {
    const answer = await pool.run(owner, { kind: 'verify', raw, keys });
    return answer.kind === 'verified' ? answer : null;
  } catch (error) {
    if (error instanceof ThreadEnded) return null;
    throw error;
  }
}
