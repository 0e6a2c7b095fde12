import { counted } from '#config/counted.js';

/** How many things of one type use something, such as a topic or a sending domain. */
export interface UsageCount {
  /** As refusals name it: `broadcast`, `automation`. */
  type: string;
  count: number;
}

/** Usages as refusals name them: “2 automations and 1 broadcast”. */
export function describeUsages(counts: readonly UsageCount[]): string {
  const parts = counts.map(({ type, count }) => counted(count, type));
  const last = parts.at(-1) ?? 'nothing';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
