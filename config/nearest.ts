/** How many single-letter edits turn one word into the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (const [j, other] of Array.from(b).entries()) {
      const substitution = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The candidate that `word` was probably meant to be; undefined where none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 3));
  // Words whose lengths differ by more cannot be near; comparing them would cost, and whoever sends the word chooses its length.
  const ranked = candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= most ? best.candidate : undefined;
}
