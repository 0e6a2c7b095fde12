import type { Unrendered } from './render.js';

/** Why a step of an automation failed: a code, and a description of what was missing, without any personal data. */
export interface StepFailure {
  readonly reason: string;
  readonly detail?: string;
}

/** Characters of `detail`. */
const maxDetail = 1000;

/** The failure of a step whose message could not be rendered. */
export const stepFailure = (unrendered: Unrendered): StepFailure =>
  'missing' in unrendered
    ? {
        reason: 'missing_variables',
        detail: `Neither the step, the contact nor the event has ${unrendered.missing.join(', ')}.`.slice(0, maxDetail),
      }
    : {
        reason: 'template_invalid',
        detail: `Rendering fails in the ${unrendered.part}, line ${unrendered.line}, column ${unrendered.column}.`,
      };
