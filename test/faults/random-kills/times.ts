/** How long things took, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function timesOf(values: readonly number[]): Times {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}
