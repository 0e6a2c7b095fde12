import { boolean, list, object, text, type ValueOf } from '#core/kernel/schema/schema.js';

/** The fields of a readiness: what stands in the way of sending something that is prepared ahead. */
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

const readiness = object(readinessFields);
export type Readiness = ValueOf<typeof readiness>;
export type ReadinessProblem = Readiness['problems'][number];

/** A readiness with each different problem once. */
export function readinessOf(problems: readonly ReadinessProblem[]): Readiness {
  const distinct = new Map(problems.map((problem) => [`${problem.code} ${problem.message}`, problem]));
  return { ok: distinct.size === 0, problems: [...distinct.values()] };
}
