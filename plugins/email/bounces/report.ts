import type { Report } from '../tables/report.js';

/** A report and the recipient that it is about. */
export interface OwnedReport {
  readonly messageId: string;
  readonly position: number;
  readonly report: Report;
}

/**
 * What became of a report. `recorded`; `repeated`: it was recorded before; `early`: the message is being sent, so that the report must come
 * again; `ignored`: it is about nothing that was sent.
 */
export type ReportOutcome = 'recorded' | 'repeated' | 'early' | 'ignored';

/** What a report says, fit to store and show: one line of at most 500 characters. */
export const detailLine = (text: string): string =>
  text
    .slice(0, 5_000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500);
