import type { Api } from './api.js';

/**
 * What svc changed by itself about a thing, newest first: the operation, the fields and their new values.
 * @param subjectId of the audit records
 */
export async function ownRecords({ call }: Pick<Api, 'call'>, subjectId: string): Promise<string[]> {
  const { activities } = await call('account.activity.list', { subjectId });
  return activities
    .filter(({ actor }) => actor.kind === 'system')
    .map(({ operation, changes }) =>
      [operation, ...changes.map(({ field, to }) => `${field}=${String(to)}`)].join(' '),
    );
}
