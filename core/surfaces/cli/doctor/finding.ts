/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  /** `skipped`: there was nothing to look at from here. */
  readonly verdict: 'ok' | 'problem' | 'skipped';
  readonly words: string;
  /** The next step, where something is wrong. */
  readonly mend?: string;
}

export const ok = (what: string, words: string): Finding => ({ what, verdict: 'ok', words });
export const skipped = (what: string, words: string): Finding => ({ what, verdict: 'skipped', words });
export const problem = (what: string, words: string, mend: string): Finding => ({
  what,
  verdict: 'problem',
  words,
  mend,
});
