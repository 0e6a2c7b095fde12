import { boolean, list, named, object, text, type ValueOf } from '#core/kernel/schema/schema.js';

/** The fields of a readiness: what prevents the sending of something that is prepared ahead. */
export const readinessFields = {
  ok: boolean('Whether nothing stands in the way.'),
  problems: list(
    object({
      code: text('A stable code.'),
      message: text('What is wrong.'),
      fix: text('The next step.'),
    }),
    'What stands in the way, each with its next step.',
  ),
} as const;

export const Readiness = named(
  'Readiness',
  object(readinessFields, { description: 'Whether anything stands in the way, and what to do about it.' }),
);
export type ReadinessValue = ValueOf<typeof Readiness>;
export type ReadinessProblem = ReadinessValue['problems'][number];

/** A readiness with each different problem once. */
export function readinessOf(problems: readonly ReadinessProblem[]): ReadinessValue {
  const distinct = new Map(problems.map((problem) => [`${problem.code} ${problem.message}`, problem]));
  return { ok: distinct.size === 0, problems: [...distinct.values()] };
}
