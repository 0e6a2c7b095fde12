import { diffLines } from 'diff';

/** A part of two texts: lines that both have, that only the old one has, or only the new one. */
interface LineChange {
  readonly kind: 'same' | 'removed' | 'added';
  readonly lines: readonly string[];
}

/** What changes between two texts, line by line. */
export const changedLines = (before: string, after: string): LineChange[] =>
  diffLines(before, after, { ignoreNewlineAtEof: true }).map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.replace(/\n$/, '').split('\n'),
  }));
