import type { ReportType } from '../tables/report.js';
import type { BounceKind } from './classify.js';

/** What a bounce, a complaint or a provider says about one recipient. */
export interface Report {
  readonly type: ReportType;
  /** Only for bounces; null for the other types. */
  readonly kind: BounceKind | null;
  /** The enhanced status code (RFC 3463), where the report names one. */
  readonly code: string | null;
  /** What the report says, in any length; it is stored as one line. */
  readonly detail: string;
  /** When it happened. A time before the message was sent or in the future is corrected. */
  readonly at: Date;
}

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
