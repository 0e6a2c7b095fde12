import { hasControls } from '#core/messaging/input.js';
import { checkTemplate } from '#core/messaging/templates/liquid.js';

/** @returns the problem with a subject that is a template, as the end of a sentence about it; null if there is none */
export function subjectSourceProblem(subject: string): string | null {
  if (hasControls(subject)) return 'must not contain line breaks or other control characters';
  const parsed = checkTemplate(subject, 'none');
  return parsed.ok ? null : `is not a valid template at column ${parsed.column}: ${parsed.problem}`;
}
