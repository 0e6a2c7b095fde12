import type { Context } from '#core/kernel/context.js';
import { SvcError, type ErrorMakers } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Holder } from '#core/runtime/holder.js';
import { recordConsents } from '../consents/append.js';
import { gainsAddress, optOutsAtGainedAddresses, type AddressChange } from '../consents/gained-addresses.js';
import { toClaim } from '../consents/plan.js';
import type { ConsentClaimInput } from '../contacts/input.js';
import { planUpserts, writeContacts, type UpsertResult } from '../contacts/upsert.js';
import { requireGrantable, topicNotFound, type GrantTarget } from '../topics/find.js';
import type { ContactRow } from '../tables/contact.js';
import type { Rejection } from './rejections.js';
import type { CheckedRow, ContactInputValue } from './row.js';

/** The result of some rows. Rows that changed nothing or were skipped are in neither count. */
export interface RowsResult {
  created: number;
  updated: number;
  rejections: Rejection[];
}

interface RowsOptions {
  environmentId: string;
  onConflict: 'update' | 'skip';
  dryRun: boolean;
  /** For rows without a `consents` field. */
  consents: readonly ConsentClaimInput[];
  /** When the import was accepted: `givenAt` of consents that do not state when they were given. */
  acceptedAt: Date;
  fail: ErrorMakers<'contact_conflict' | 'contact_erased' | 'topic_archived', SvcError>;
  /** Whom the computing counts for. */
  holder: Holder;
}

interface Row {
  row: number;
  contact: ContactInputValue;
  grants: readonly ConsentClaimInput[];
}

type ImportContext = Context<
  'audience.contact.created' | 'audience.contact.updated' | 'audience.consent.granted' | 'audience.consent.revoked'
>;

/**
 * Does for each row what audience.contact.upsert does, in order, but in statements of many rows. A row is imported
 * whole or rejected whole.
 */
export async function importRows(
  context: ImportContext,
  rows: readonly CheckedRow[],
  options: RowsOptions,
): Promise<RowsResult> {
  const { environmentId, acceptedAt, onConflict, dryRun, consents, fail, holder } = options;
  const withGrants = rows.map((row) =>
    'contact' in row
      ? { ...row, grants: row.contact.consents ?? consents }
      : { row: row.row, error: problemOf(row, fail) },
  );
  const grantProblem = await checkGrants(
    context.db,
    environmentId,
    withGrants.flatMap((row) => ('error' in row ? [] : row.grants)),
    fail,
  );
  const rejected = new Map<number, SvcError>();
  const valid = withGrants.filter((row): row is Row => {
    const error = 'error' in row ? row.error : row.grants.map(grantProblem).find((problem) => problem !== undefined);
    if (error) rejected.set(row.row, error);
    return error === undefined;
  });
  const { results, writes } = await planUpserts(
    context,
    valid.map(({ contact: { consents: _consents, ...changes } }) => changes),
    { environmentId, acceptedAt, onConflict, fail, holder },
  );
  const imported = valid.flatMap((row, index) => {
    const result = results[index];
    if (result?.outcome === 'rejected') rejected.set(row.row, result.error);
    if (result?.outcome === 'erased') rejected.set(row.row, fail.contact_erased());
    return !result || result.outcome === 'rejected' || result.outcome === 'erased' ? [] : [{ ...row, result }];
  });
  if (!dryRun) {
    const written = writeContacts(context, writes);
    await allSettled(written, recordAll(context, imported, written, options));
  }
  const count = (outcome: string): number => imported.filter(({ result }) => result.outcome === outcome).length;
  return {
    created: count('created'),
    updated: count('updated'),
    rejections: [...rejected].map(([row, { code, message }]) => ({ row, code, message })),
  };
}

const problemOf = (
  row: Exclude<CheckedRow, { contact: ContactInputValue }>,
  fail: ErrorMakers<'contact_erased', SvcError>,
): SvcError => ('error' in row ? row.error : fail.contact_erased());

/** Waits for all, so that none still writes after the ROLLBACK when another fails; then throws the first failure. */
async function allSettled(...works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

type ImportedRow = Row & { result: Extract<UpsertResult, { contact: ContactRow }> };

/** Records the grants of rows, and the opt-outs at the addresses that contacts get, in the order of the rows. */
async function recordAll(
  context: ImportContext,
  rows: readonly ImportedRow[],
  written: Promise<void>,
  { acceptedAt }: RowsOptions,
): Promise<void> {
  const changes = addressChanges(rows);
  if (changes.some(gainsAddress)) await written;
  const optOuts = await optOutsAtGainedAddresses(context.db, changes);
  const claims = rows.flatMap(({ grants, result }, index) =>
    result.outcome === 'skipped'
      ? []
      : [...(optOuts[index] ?? []), ...grants.map((grant) => toClaim(result.contact, grant, 'consents', acceptedAt))],
  );
  const created = new Set(
    rows.filter(({ result }) => result.outcome === 'created').map(({ result }) => result.contact.id),
  );
  await recordConsents(context, claims, { created, renew: false });
}

/** What each row changes: an earlier row may concern the same contact. */
function addressChanges(rows: readonly ImportedRow[]): AddressChange[] {
  const current = new Map<string, ContactRow>();
  return rows.map(({ result: { contact, write } }) => {
    const before = current.get(contact.id) ?? write.before;
    current.set(contact.id, contact);
    return { before, after: contact };
  });
}

/** Why consent cannot be granted to a topic on a channel; undefined if it can. */
type GrantCheck = (grant: GrantTarget) => SvcError | undefined;

/** Checks each topic and channel once, no matter how many grants name them. */
async function checkGrants(
  db: Session,
  environmentId: string,
  grants: readonly GrantTarget[],
  fail: ErrorMakers<'topic_archived', SvcError>,
): Promise<GrantCheck> {
  const problems = new Map<string, SvcError | undefined>();
  const keyOf = ({ topic, channel }: GrantTarget): string => `${channel} ${topic}`;
  for (const { topic, channel } of grants) {
    const key = keyOf({ topic, channel });
    if (!problems.has(key)) problems.set(key, await grantProblemOf(db, environmentId, { topic, channel }, fail));
  }
  return (grant) => problems.get(keyOf(grant));
}

async function grantProblemOf(
  db: Session,
  environmentId: string,
  grant: GrantTarget,
  fail: ErrorMakers<'topic_archived', SvcError>,
): Promise<SvcError | undefined> {
  try {
    await requireGrantable(db, environmentId, [{ ...grant, field: 'consents' }], fail);
    return undefined;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    // A row may contain personal data in the wrong column, and rejections are kept.
    return error.code === 'not_found' ? topicNotFound() : error;
  }
}
