import { refusalOf } from './common.js';
import type { SvcError } from './errors.js';

/** The error for a field whose schema cannot express the rule. @param problem the end of a sentence about it: “must be …” */
export const invalidField = (field: string, problem: string): SvcError =>
  refusalOf.invalid_input({ field, problem, details: { field } });
