import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ZipFile } from 'yazl';
import type { TestPlatform } from '#test/support/platform.js';
import { printed, runSvc } from '../support.js';

/** The path of an export. The people in them are invented. */
export const exported = (name: string): string => fileURLToPath(new URL(`exports/${name}`, import.meta.url));

/** Writes a ZIP archive. @param files their contents, or paths, by their names in the archive */
export async function zipped(
  folder: string,
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<string> {
  const zip = new ZipFile();
  for (const [inner, content] of Object.entries(files))
    if (typeof content === 'string') zip.addFile(content, inner);
    else zip.addBuffer(content, inner);
  zip.end();
  const path = join(folder, name);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

export interface Moved {
  readonly code: number | null;
  readonly stderr: string;
  readonly planned: unknown;
  readonly written: unknown;
  /** `reason: lines`, of what was left out on purpose, and of what could not be moved. */
  readonly skipped: readonly string[];
  readonly failed: readonly string[];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function notes(value: unknown): string[] {
  return listOf(value)
    .filter(isRecord)
    .map(({ reason, count, first }) => {
      const lines = listOf(first).map((each) =>
        isRecord(each) && isRecord(each['place']) ? each['place']['line'] : '',
      );
      expect(count).to.equal(lines.length);
      return `${String(reason)}: ${lines.join(', ')}`;
    });
}

/** Runs `svc move from` with an account's key. */
export const mover =
  (platform: TestPlatform, key: string) =>
  async (...words: string[]): Promise<Moved> => {
    const { code, stdout, stderr } = await runSvc(['move', 'from', ...words, '--base-url', platform.running.address], {
      key,
    });
    const summary = stdout === '' ? {} : printed(stdout);
    return {
      code,
      stderr,
      planned: summary['planned'],
      written: summary['written'],
      skipped: notes(summary['skipped']),
      failed: notes(summary['failed']),
    };
  };
