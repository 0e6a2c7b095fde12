import { checkWritable, keepFile } from '#core/runtime/kept-files.js';
import { fileOf, mailFiles } from './store.js';
import type { EnvelopedMail, MailTransport } from '../transport.js';

/**
 * A transport that delivers into files.
 * @param folder created if it does not exist; only its owner may read it, because mail contains sign-in codes
 */
export function mailboxTransport(folder: string): MailTransport {
  const running = new Set<Promise<unknown>>();
  let closed = false;

  /** @returns why the message was not kept; undefined if it was */
  const keep = async (mail: EnvelopedMail): Promise<string | undefined> => {
    if (closed) return 'it is closed';
    try {
      await keepFile(mailFiles(folder), fileOf(mail, new Date()));
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  };

  return {
    async deliver(mail) {
      const startedAt = performance.now();
      const keeping = keep(mail).finally(() => running.delete(keeping));
      running.add(keeping);
      const problem = await keeping;
      const answer =
        problem === undefined
          ? ({ outcome: 'sent', code: null, response: 'kept in the local mailbox' } as const)
          : ({ outcome: 'temporary', code: null, response: `not kept in the local mailbox: ${problem}` } as const);
      return {
        durationMs: Math.round(performance.now() - startedAt),
        recipients: mail.recipients.map((address) => ({ address, ...answer })),
      };
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
    async verify() {
      try {
        await checkWritable(mailFiles(folder));
      } catch (error) {
        throw new Error(`The mailbox folder ${folder} cannot be written: ${reasonOf(error)}.`);
      }
    },
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.message
      : String(error);
