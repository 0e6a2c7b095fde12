import type { InputOf } from '#core/surfaces/console/kit/index.js';
import { opened, rowsOf } from './read-csv.js';

/* The file of an import while the tab is open, so that the rejected rows can be saved with their own columns. */

type ImportInput = InputOf<'audience.contact.import'>;

const kept = new Map<string, ImportInput>();

export function keepFile(importId: string, input: ImportInput): void {
  kept.clear();
  kept.set(importId, input);
}

/** What an import of this tab was called with; undefined after a reload. */
export const keptInput = (importId: string): ImportInput | undefined => kept.get(importId);

/** The header line and the rows of an import's file by their number; undefined if the tab does not have the file. */
export function keptRows(
  importId: string,
): { header: readonly string[]; row: (at: number) => readonly string[] } | undefined {
  const csv = kept.get(importId)?.csv;
  if (csv === undefined) return undefined;
  const { body, delimiter } = opened(csv);
  const [header = [], ...rows] = [...rowsOf(body, delimiter)];
  return { header, row: (at) => rows[at - 1] ?? [] };
}
