import { parentPort, type Transferable } from 'node:worker_threads';
import { announceReady } from '#core/runtime/thread-cpu.js';
import { parseMailReport } from '../../bounces/parse.js';
import { parseReceived } from './parse-mail.js';
import { parseSubmitted } from './parse-submitted.js';
import type { MailAnswer, MailJob } from './parsed.js';

async function answerTo(job: MailJob): Promise<MailAnswer> {
  if (job.kind === 'verify') {
    // Imported here: it takes a third of a second, and a message without a signature does not need it.
    const { verifySignatures } = await import('./verify-signatures.js');
    return { kind: 'verified', ...(await verifySignatures(job.raw, job.keys)) };
  }
  if (job.kind === 'report') return { kind: 'report', report: await parseMailReport(Buffer.from(job.raw)) };
  if (job.kind === 'submitted') {
    const mail = await parseSubmitted(job.raw);
    return 'refusal' in mail ? { kind: 'refused', ...mail } : { kind: 'submitted', mail };
  }
  const mail = await parseReceived(job.raw);
  return 'refusal' in mail ? { kind: 'refused', ...mail } : { kind: 'parsed', mail };
}

/** The contents of attachments move to the other side instead of being copied. */
const movedWith = (answer: MailAnswer): Transferable[] =>
  answer.kind === 'parsed' || answer.kind === 'submitted'
    ? [...new Set(answer.mail.attachments.map(({ content }) => content.buffer))]
    : [];

/* A thread of mail-pool.ts. */
parentPort?.on('message', (job: MailJob) => {
  answerTo(job)
    .catch((error: unknown): MailAnswer => ({ kind: 'failed', problem: String(error) }))
    .then((answer) => parentPort?.postMessage(answer, movedWith(answer)))
    .catch(() => process.exit(1));
});
announceReady();
