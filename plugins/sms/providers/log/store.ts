import { join } from 'node:path';
import type { Deployment } from '#core/kernel/deployment.js';
import { clearKept, filesIn, idsIn, keepFile, readKept, removeKept, type KeptFiles } from '#core/runtime/kept-files.js';
import { at, parseJson } from '#core/runtime/json.js';

/* A text that was kept instead of being sent, or that was written at /dev/phone, is one file: `<id>.json`. */

/** How many texts are kept; older ones are removed. */
const keptTexts = 1_000;

interface KeptText {
  /** out: svc wrote it; in: it was written at /dev/phone. */
  direction: 'out' | 'in';
  /** The phone that received it, or on which it was written. */
  phone: string;
  /** The number on svc's side. */
  number: string;
  body: string;
  /** svc's id of the message; null for a text that was written at /dev/phone. */
  messageId: string | null;
  at: Date;
}

export interface StoredText extends KeptText {
  id: string;
}

/** The folder in which texts are kept. Only this process's owner may read them: they contain sign-in codes. */
export const phoneFiles = ({ settings }: Pick<Deployment, 'settings'>): KeptFiles => ({
  folder: join(settings.stateDir, 'phone'),
  extension: 'json',
  most: keptTexts,
});

export const keepText = (files: KeptFiles, text: KeptText): Promise<string> =>
  keepFile(files, JSON.stringify({ ...text, at: text.at.toISOString() }));

/** All kept texts, newest first. */
export async function listTexts(files: KeptFiles): Promise<StoredText[]> {
  const texts: StoredText[] = [];
  for (const id of await idsIn(files)) {
    const text = readText(id, await readKept(files, id));
    if (text) texts.push(text);
  }
  return texts;
}

export const newestText = async (files: KeptFiles): Promise<string> => (await idsIn(files))[0] ?? '';

export const clearTexts = (files: KeptFiles): Promise<void> => clearKept(files);

/** Removes every text to or from a phone, including files that a crash left incomplete. */
export async function removeTextsOf(files: KeptFiles, phone: string): Promise<void> {
  for (const text of await listTexts(files)) if (text.phone === phone) await removeKept(files, text.id);
  // An incomplete file cannot be read, so it is removed no matter which phone it belongs to.
  for (const { id, complete } of await filesIn(files))
    if (!complete) await removeKept({ ...files, extension: 'tmp' }, id);
}

function readText(id: string, file: Buffer | undefined): StoredText | undefined {
  const kept = file && parseJson(file.toString('utf8'));
  const [direction, phone, number, body, messageId, time] = [
    'direction',
    'phone',
    'number',
    'body',
    'messageId',
    'at',
  ].map((name) => at(kept, name));
  if (typeof phone !== 'string' || typeof number !== 'string' || typeof body !== 'string') return undefined;
  return {
    id,
    direction: direction === 'in' ? 'in' : 'out',
    phone,
    number,
    body,
    messageId: typeof messageId === 'string' ? messageId : null,
    at: new Date(String(time)),
  };
}
