import { SvcError, type ErrorMakers } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { mustBeGrantable, type Named } from '../topics/find.js';

/** Why consent cannot be granted to a topic on a channel; undefined where it can. */
export type Grantability = (claim: Named) => SvcError | undefined;

const keyOf = ({ topic, channel }: Named): string => `${channel} ${topic}`;

/** Asks once about each topic and channel that some claims name, however many claims there are. */
export async function grantability(
  db: Session,
  environmentId: string,
  claims: readonly Named[],
  fail: ErrorMakers<'topic_archived', SvcError>,
): Promise<Grantability> {
  const problems = new Map<string, SvcError | undefined>();
  for (const { topic, channel } of claims) {
    const key = keyOf({ topic, channel });
    if (!problems.has(key)) problems.set(key, await problemOf(db, environmentId, { topic, channel }, fail));
  }
  return (claim) => problems.get(keyOf(claim));
}

async function problemOf(
  db: Session,
  environmentId: string,
  claim: Named,
  fail: ErrorMakers<'topic_archived', SvcError>,
): Promise<SvcError | undefined> {
  try {
    await mustBeGrantable(db, environmentId, [{ ...claim, field: 'consents' }], fail);
    return undefined;
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}
