import type { NumberEligibility } from './eligibility.js';
import type { Counted } from '../segments.js';

/** The text of a send step, as it was planned. */
export interface AcceptedStep {
  readonly to: string;
  readonly from: string | null;
  readonly body: string;
  readonly counted: Counted;
  readonly topic: string;
  readonly template: { readonly name: string; readonly version: number; readonly locale: string };
  readonly eligibility: NumberEligibility;
}
