import { boolean, list, named, object, optional, text, type ValueOf } from '#core/kernel/schema/schema.js';

/** The fields of a readiness: the problems that prevent sending something prepared ahead. */
export const readinessFields = {
  ok: boolean('Whether there are no problems.'),
  problems: list(
    object({
      code: text('A stable code.'),
      message: text('What is wrong.'),
      fix: text('The next step.'),
      fields: optional(
        list(
          text('The path of a field.'),
          'The fields of an automation that cause it, such as steps[1].template; absent if no field does.',
        ),
      ),
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

/** The problem, caused by a field. @param field its path, such as `steps[1].template` */
export const causedBy = (field: string, problem: ReadinessProblem): ReadinessProblem => ({
  ...problem,
  fields: [field],
});

/** A readiness with each different problem once, with all the fields that cause it. */
export function readinessOf(problems: readonly ReadinessProblem[]): ReadinessValue {
  const distinct = new Map<string, ReadinessProblem>();
  for (const problem of problems) {
    const key = `${problem.code} ${problem.message}`;
    const fields = [...(distinct.get(key)?.fields ?? []), ...(problem.fields ?? [])];
    distinct.set(key, { ...problem, ...(fields.length === 0 ? {} : { fields }) });
  }
  return { ok: distinct.size === 0, problems: [...distinct.values()] };
}
