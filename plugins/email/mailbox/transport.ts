import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deployment } from '#core/kernel/deployment.js';
import { newId } from '#core/runtime/id.js';
import { fileOf, filesIn } from './mailbox-store.js';
import type { EnvelopedMail, MailTransport } from '../delivery/smtp-transport.js';

export { forgetMailbox, listMailbox, readMailbox, type KeptMail, type ListedMail } from './mailbox-store.js';

/** More than anybody reads; what is older goes. */
const keptMessages = 500;

/** Where mail is kept while no mail server is configured (house.md, SVC_SMTP_URL). */
export const mailboxFolder = ({ settings }: Pick<Deployment, 'settings'>): string => join(settings.stateDir, 'mailbox');

/**
 * A transport that delivers into files.
 * @param folder made when it is not there; its owner alone may read it, for mails hold sign-in codes
 */
export function mailboxTransport(folder: string): MailTransport {
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const keep = async (mail: EnvelopedMail): Promise<string | undefined> => {
    if (closed) return 'it is closed';
    try {
      await ensureFolder(folder);
      await write(folder, newId(), fileOf(mail, new Date()));
      // A message that is kept is sent, whether or not older ones could be removed: a retry would double it.
      await prune(folder).catch(() => undefined);
      return undefined;
    } catch (error) {
      return reasonOf(error);
    }
  };

  return {
    async deliver(mail) {
      const startedAt = performance.now();
      const keeping = keep(mail).finally(() => underWay.delete(keeping));
      underWay.add(keeping);
      const problem = await keeping;
      const answer =
        problem === undefined
          ? ({ outcome: 'sent', smtpCode: null, response: 'kept in the local mailbox' } as const)
          : ({ outcome: 'temporary', smtpCode: null, response: `not kept in the local mailbox: ${problem}` } as const);
      return {
        durationMs: Math.round(performance.now() - startedAt),
        recipients: mail.recipients.map((address) => ({ address, ...answer })),
      };
    },
    async close() {
      closed = true;
      await Promise.allSettled(underWay);
    },
    async verify() {
      try {
        await ensureFolder(folder);
        const probe = join(folder, `${newId()}.tmp`);
        await (await open(probe, 'wx', 0o600)).close();
        await rm(probe);
      } catch (error) {
        throw new Error(`The mailbox folder ${folder} cannot be written: ${reasonOf(error)}.`);
      }
    },
  };
}

async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** Written aside, flushed, then named: a reader sees the whole message or none, and a sent one outlives a power cut. */
async function write(folder: string, id: string, content: Buffer): Promise<void> {
  const aside = join(folder, `${id}.tmp`);
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, join(folder, `${id}.eml`));
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  const names = await open(folder);
  await names.sync().finally(() => names.close());
}

/** Removes what is older than the kept messages, with whatever a crash left of such. */
async function prune(folder: string): Promise<void> {
  const files = await filesIn(folder);
  const oldest = files.filter(({ whole }) => whole)[keptMessages - 1];
  const old = oldest ? files.filter(({ id }) => id < oldest.id) : [];
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.message
      : String(error);
