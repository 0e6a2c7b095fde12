import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '#core/runtime/id.js';
import { fileOf, filesIn, keptMessages } from './store.js';
import type { EnvelopedMail, MailTransport } from '../delivery/transport.js';

/**
 * A transport that delivers into files.
 * @param folder created when it does not exist; only its owner may read it, because mail holds sign-in codes
 */
export function mailboxTransport(folder: string): MailTransport {
  const running = new Set<Promise<unknown>>();
  let closed = false;

  /** @returns why the message was not kept; undefined when it was */
  const keep = async (mail: EnvelopedMail): Promise<string | undefined> => {
    if (closed) return 'it is closed';
    try {
      await ensureFolder(folder);
      await write(folder, newId(), fileOf(mail, new Date()));
      // Once it is kept it is sent, whether or not older messages could be removed: a retry would duplicate it.
      await prune(folder).catch(() => undefined);
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

/** Writes to a temporary file, flushes and renames it: readers see the whole message or none, and it survives a power cut. */
async function write(folder: string, id: string, content: Buffer): Promise<void> {
  const temporary = join(folder, `${id}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, `${id}.eml`));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const directory = await open(folder);
  await directory.sync().finally(() => directory.close());
}

/** Removes what is older than the kept messages, and temporary files that a crash left behind. */
async function prune(folder: string): Promise<void> {
  const files = await filesIn(folder);
  const oldest = files.filter(({ complete }) => complete)[keptMessages - 1];
  const old = oldest ? files.filter(({ id }) => id < oldest.id) : [];
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error
    ? String(error.code)
    : error instanceof Error
      ? error.message
      : String(error);
