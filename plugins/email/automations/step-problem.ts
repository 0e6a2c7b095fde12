import { refusalOf } from '#core/kernel/errors/common.js';
import type { SvcError } from '#core/kernel/errors/errors.js';

/** The refusal of a part of a step tree. @param field its path in the request: `steps[1].then[0].seconds` */
export const stepProblem = (field: string, problem: string): SvcError =>
  refusalOf.invalid_input({ field, problem, details: { field } });
