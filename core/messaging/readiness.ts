import { boolean, list, named, object, text, type ValueOf } from '#core/kernel/schema/schema.js';

/** The fields of a readiness: the problems that prevent sending something prepared ahead. */
export const readinessFields = {
  ok: boolean('Whether there are no problems.'),
  problems: list(
    object({
      code: text('A stable code.'),
      message: text('What is wrong.'),
      fix: text('The next step.'),
    }),
    'The problems, each with its next step.',
  ),
} as const;

export const Readiness = named(
  'Readiness',
  object(readinessFields, { description: 'Whether there are problems, and how to resolve them.' }),
);
export type ReadinessValue = ValueOf<typeof Readiness>;
export type ReadinessProblem = ReadinessValue['problems'][number];

/** A readiness with each different problem once. */
export function readinessOf(problems: readonly ReadinessProblem[]): ReadinessValue {
  const distinct = new Map(problems.map((problem) => [`${problem.code} ${problem.message}`, problem]));
  return { ok: distinct.size === 0, problems: [...distinct.values()] };
}
