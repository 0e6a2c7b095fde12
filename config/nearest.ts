/** Levenshtein distance: the number of single-letter edits that turn one word into the other. */
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

/**
 * The maximum number of edits in a misspelling. Two edits turn a word of three letters into nearly any other: “to” is
 * not a misspelt “tag”.
 */
const mostEdits = (word: string): number =>
  Math.min(Math.max(2, Math.floor(word.length / 3)), Math.floor(word.length / 2));

/**
 * @param most edits of a misspelling; fewer if `word` may be right although it is not one of the candidates
 * @returns the candidate most similar to `word`; undefined if none is similar enough to be a misspelling
 */
export function nearest(word: string, candidates: readonly string[], most = mostEdits(word)): string | undefined {
  // Candidates whose length differs by more cannot qualify. Skipping them bounds the cost: `word` may come from a
  // caller and be long.
  const ranked = candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, edits: distance(word, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best && best.edits <= most ? best.candidate : undefined;
}
