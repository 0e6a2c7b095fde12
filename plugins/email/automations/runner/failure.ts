import { stepFailure, type StepFailure } from '#core/messaging/templates/step-failure.js';
import type { RenderedContent } from '../../templates/content.js';

/** Why a run failed whose mail could not be rendered. */
export const failureOf = (rendered: Exclude<RenderedContent, { ok: true }>): StepFailure =>
  'subjectProblem' in rendered
    ? { reason: 'template_invalid', detail: `The rendered subject ${rendered.subjectProblem}.` }
    : stepFailure(rendered);
