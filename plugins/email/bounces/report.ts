import type { Report } from '../tables/report.js';

/** A report and the recipient that it is about. */
export interface OwnedReport {
  readonly messageId: string;
  readonly position: number;
  readonly report: Report;
}

/**
 * The outcome of a report. `recorded`; `repeated`: it was recorded before; `early`: the message is being sent, so that
 * the report must be sent again; `ignored`: it is about nothing that was sent.
 */
export type ReportOutcome = 'recorded' | 'repeated' | 'early' | 'ignored';

/** The text of a report in a form to store and show: one line of at most 500 characters. */
export const detailLine = (text: string): string =>
  text
    .slice(0, 5_000)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 500);
