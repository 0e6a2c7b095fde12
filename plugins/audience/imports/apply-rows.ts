import type { ErrorMakers, SvcError } from '#core/kernel/errors/errors.js';
import { grantConsents } from '../consents/append.js';
import { grantOf } from '../consents/to-claim.js';
import { planUpserts, writeContacts } from '../contacts/upsert.js';
import type { ConsentClaimInput } from '../contacts/input.js';
import type { Context } from '#core/kernel/context.js';
import { grantability, type Grantability } from './grantability.js';
import type { Rejection } from './rejections.js';
import type { CheckedRow, ContactInputValue } from './row.js';

/** What became of some rows. A row that changed nothing, or was skipped, stands in neither count. */
export interface RowsDone {
  created: number;
  updated: number;
  rejections: Rejection[];
}

export interface RowsOptions {
  environmentId: string;
  onConflict: 'update' | 'skip';
  dryRun: boolean;
  /** For rows that bring none of their own. */
  consents: readonly ConsentClaimInput[];
  /** When consents were given of which nobody says when. */
  givenAt: Date;
  fail: ErrorMakers<'contact_conflict' | 'topic_archived', SvcError>;
}

interface Row {
  row: number;
  contact: ContactInputValue;
  claims: readonly ConsentClaimInput[];
}

/**
 * Does with some rows what audience.contact.upsert would, one after another, in statements of all of them. A row is done whole or
 * refused whole.
 */
export async function workRows(
  scene: Context<'audience.contact.created' | 'audience.contact.updated' | 'audience.consent.granted'>,
  rows: readonly CheckedRow[],
  options: RowsOptions,
): Promise<RowsDone> {
  const { environmentId, onConflict, dryRun, consents, fail } = options;
  const claimed = rows.map((row) => ('error' in row ? row : { ...row, claims: row.contact.consents ?? consents }));
  const grantable = await grantability(
    scene.db,
    environmentId,
    claimed.flatMap((row) => ('error' in row ? [] : row.claims)),
    fail,
  );
  const refused = new Map<number, SvcError>();
  const sound = claimed.filter((row): row is Row => {
    const error = 'error' in row ? row.error : problemOf(row, grantable);
    if (error) refused.set(row.row, error);
    return error === undefined;
  });
  const { results, writes } = await planUpserts(
    scene,
    sound.map(({ contact: { consents: _consents, ...given } }) => given),
    { environmentId, onConflict, fail },
  );
  const done = sound.flatMap((row, index) => {
    const result = results[index];
    if (result?.outcome === 'refused') refused.set(row.row, result.error);
    return !result || result.outcome === 'refused' ? [] : [{ ...row, result }];
  });
  if (!dryRun) await settled(writeContacts(scene, writes), grant(scene, done, options));
  const count = (outcome: string): number => done.filter(({ result }) => result.outcome === outcome).length;
  return { created: count('created'), updated: count('updated'), rejections: [...refused].map(rejection) };
}

/** Both at once, over one connection. Neither is left behind when the other fails: it would write after the ROLLBACK. */
async function settled(...works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

const problemOf = ({ claims }: Row, grantable: Grantability): SvcError | undefined =>
  claims.map(grantable).find((problem) => problem !== undefined);

const rejection = ([row, { code, message }]: [number, SvcError]): Rejection => ({ row, code, message });

type Done = Row & {
  result: Exclude<Awaited<ReturnType<typeof planUpserts>>['results'][number], { outcome: 'refused' }>;
};

/** A grant of which nobody says when it was given is no evidence against somebody's no, however old that is. */
async function grant(
  scene: Context<'audience.consent.granted'>,
  done: readonly Done[],
  { givenAt }: RowsOptions,
): Promise<void> {
  const claims = done
    .filter(({ result }) => result.outcome !== 'skipped')
    .flatMap(({ claims: given, result }) => given.map((claim) => grantOf(result.contact, claim, 'consents', givenAt)));
  const fresh = new Set(
    done.filter(({ result }) => result.outcome === 'created').map(({ result }) => result.contact.id),
  );
  await grantConsents(scene, claims, { fresh, renew: false });
}
