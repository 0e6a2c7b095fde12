import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ZipFile } from 'yazl';
import { startHttpFake, type HttpFake } from '#test/support/http-fake.js';
import { printed, runSvc, type Ran } from '../support.js';

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

/** The report that a run printed. */
export function movedOf({ code, stdout, stderr }: Ran): Moved {
  const summary = stdout === '' ? {} : printed(stdout);
  return {
    code,
    stderr,
    planned: summary['planned'],
    written: summary['written'],
    skipped: notes(summary['skipped']),
    failed: notes(summary['failed']),
  };
}

/** Runs `svc move from` with an account's key. */
export const mover =
  (address: string, key: string) =>
  async (...words: string[]): Promise<Moved> =>
    movedOf(await runSvc(['move', 'from', ...words, '--base-url', address], { key }));

/** A call on its way to the server. */
export interface PassingCall {
  readonly operation: string;
  readonly idempotencyKey: string;
  /** Sends the call on to the server. */
  readonly forward: () => Promise<{ readonly status: number; readonly body: string }>;
  /** Answers the command. */
  readonly answer: (status: number, body: string, headers?: Readonly<Record<string, string>>) => void;
  /** Ends the connection without an answer. */
  readonly drop: () => void;
}

/** Starts a proxy between the command and the server. */
export const startProxy = (address: string, pass: (call: PassingCall) => Promise<void>): Promise<HttpFake> =>
  startHttpFake(async ({ path, headers, body }, response) => {
    const idempotencyKey = String(headers['idempotency-key']);
    const forwarded = { 'Content-Type': 'application/json', Authorization: headers.authorization ?? '' };
    await pass({
      operation: path.slice(1).replaceAll('/', '.'),
      idempotencyKey,
      async forward() {
        const answer = await fetch(address + path, {
          ...{ method: 'POST', body, headers: { ...forwarded, 'Idempotency-Key': idempotencyKey } },
        });
        return { status: answer.status, body: await answer.text() };
      },
      answer: (status, text, more = {}) =>
        void response.writeHead(status, { 'Content-Type': 'application/json', ...more }).end(text),
      drop: () => void response.destroy(),
    });
  });
