import { fstatSync, writeSync } from 'node:fs';
import { exit } from '../errors.js';

/** How often a device that is busy is asked again. */
const mostBusy = 1_000;

/**
 * Makes the command fail if its output cannot be written whole. Node ignores that a file took only a part of a write,
 * because its disk or its allowed size is full, so files are written here.
 */
export function requireWholeOutput(): void {
  // A closed pipe, as in `svc … | head`, is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exit.ok);
    refuseOutput(error);
  });
  const { fd, isTTY } = process.stdout;
  if (isTTY || !isFile(fd)) return;
  // Otherwise the signal of a file that reaches its allowed size ends the process before it can say so.
  process.on('SIGXFSZ', () => undefined);
  process.stdout.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    written?: (error?: Error | null) => void,
  ): boolean => {
    const bytes =
      typeof chunk === 'string' ? Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8') : chunk;
    try {
      writeAll(fd, bytes);
    } catch (error) {
      refuseOutput(error);
    }
    (typeof encoding === 'function' ? encoding : written)?.();
    return true;
  };
}

/** A file or a device, but not a pipe or a socket. */
function isFile(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() || stats.isCharacterDevice();
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let busy = 0;
  for (let from = 0; from < bytes.length;) {
    try {
      from += writeSync(fd, bytes, from);
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN' || (busy += 1) > mostBusy) throw error;
    }
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the device',
  EFBIG: 'the file has reached its allowed size',
  EDQUOT: 'the disk quota is used up',
};

function refuseOutput(error: unknown): never {
  const code = codeOf(error);
  const reason = reasons[code] ?? (code === '' ? String(error) : code);
  process.stderr.write(
    `The output could not be written: ${reason}. The written part is not complete. Make space, then run the command again.\n`,
  );
  process.exit(exit.failure);
}
