import { createReadStream } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CliError, exit, unreadable } from '../../errors.js';
import type { Entry } from './entry.js';
import { zipEntries } from './zip.js';

/** The files at these paths, with those in ZIP archives. Gzip is undone. @throws CliError */
export async function entriesOf(paths: readonly string[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const path of paths) {
    const start = await firstBytes(path);
    if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) entries.push(...(await zipEntries(path)));
    else if (start.startsWith('\x1f\x8b'))
      entries.push({ name: path, base: basename(path).replace(/\.gz$/, ''), open: async () => gunzipped(path) });
    else entries.push({ name: path, base: basename(path), open: async () => createReadStream(path) });
  }
  return entries;
}

function gunzipped(path: string): Readable {
  const file = createReadStream(path);
  const plain = createGunzip();
  file.on('error', (error) => plain.destroy(error));
  plain.on('error', () => file.destroy());
  return file.pipe(plain);
}

async function firstBytes(path: string): Promise<string> {
  try {
    const file = await openFile(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
      return buffer.subarray(0, bytesRead).toString('latin1');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new CliError(unreadable(path, error), 'Pass the path of a file that you may read.', exit.usage);
  }
}
