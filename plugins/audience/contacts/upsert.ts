import { updateTime } from '#core/kernel/audit/unchanged.js';
import type { Context } from '#core/kernel/context.js';
import { SvcError, type ErrorMakers } from '#core/kernel/errors/errors.js';
import { erasedSince } from '#core/kernel/erasure/erased.js';
import { phoneKey, samePhone } from '#core/kernel/schema/phone.js';
import type { Session } from '#core/runtime/database/session.js';
import type { Holder } from '#core/runtime/holder.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { contacts, identifiers, type ContactRow, type Identifier } from '../tables/contact.js';
import { addressKey, addressKeys } from './address.js';
import { changesOf } from './audit.js';
import { applyChanges, newContact, normalizeChanges, type ContactChanges } from './changes.js';
import { lockContacts } from './find.js';
import { presentContact } from './present.js';
import { storeContacts, type ContactWrite } from './store.js';

/** The result of one upsert. */
export type UpsertResult =
  | {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
      /** The contact after this upsert; later ones of the batch may change it further. */
      contact: ContactRow;
      write: ContactWrite;
    }
  | { outcome: 'rejected'; error: SvcError }
  /** The person was erased after the input was accepted. Nothing is written. */
  | { outcome: 'erased' };

/** The result of an upsert that was accepted in the call that runs it. @throws the refusal of a rejected one */
export function requireResult(result: UpsertResult | undefined): Extract<UpsertResult, { contact: ContactRow }> {
  if (result?.outcome === 'rejected') throw result.error;
  if (!result || result.outcome === 'erased') throw new Error('The upsert has no result.');
  return result;
}

interface UpsertOptions {
  environmentId: string;
  /** When the input was accepted. Input that waited does not bring back a person who was erased meanwhile. */
  acceptedAt: Date | 'now';
  /** `skip` leaves existing contacts unchanged. */
  onConflict: 'update' | 'skip';
  fail: ErrorMakers<'contact_conflict', SvcError>;
  /**
   * Refusals name the external id of the conflicting contact. Not used for imports: an erasure would not find their
   * stored refusals.
   */
  namesOwner?: true;
  /** For many inputs: whom the computing counts for. Others get turns in between. */
  holder?: Holder;
}

interface UpsertPlan {
  /** In the order of the input. */
  results: UpsertResult[];
  /** What to write; nothing for rejected upserts. */
  writes: ContactWrite[];
}

/** The fields of the request that contain identifiers. */
const inputFields: Readonly<Record<Identifier, string>> = {
  externalId: 'externalId',
  emailKey: 'email',
  phone: 'phone',
};

/**
 * Plans upserts without writing: each matches a contact by external id, then email, then phone, and sees the changes of
 * the earlier ones. All matching contacts are found and locked together.
 */
export async function planUpserts(
  { db, clock, vault }: Context,
  inputs: readonly ContactChanges[],
  options: UpsertOptions,
): Promise<UpsertPlan> {
  const now = clock.now();
  const drafts = await inTurns(inputs, options.holder, (input) => resultOrError(() => draftOf(input)));
  const wanted = drafts.flatMap((draft) => (draft instanceof SvcError ? [] : [draft.identifiers]));
  const index = createBatchIndex(await lockMatching(db, options.environmentId, wanted));
  const { environmentId, acceptedAt } = options;
  const erased = await erasedSince(
    { db, vault },
    { environmentId, product: 'audience', acceptedAt },
    drafts.map((draft) => (draft instanceof SvcError ? {} : draft.changes)),
  );
  const results = await inTurns(drafts, options.holder, (draft, position): UpsertResult => {
    if (erased[position] === true) return { outcome: 'erased' };
    const result =
      draft instanceof SvcError ? draft : resultOrError(() => planUpsert(index, draft, { ...options, vault, now }));
    return result instanceof SvcError ? { outcome: 'rejected', error: result } : result;
  });
  return { results, writes: index.writes() };
}

/** The number of inputs that are planned in one turn: about 3 ms. */
const inputsPerTurn = 100;

/** Maps values, with turns for others after each hundred if there are more. */
async function inTurns<In, Out>(
  values: readonly In[],
  holder: Holder | undefined,
  map: (value: In, position: number) => Out,
): Promise<Out[]> {
  const mapped: Out[] = [];
  for (const [position, value] of values.entries()) {
    if (holder && position > 0 && position % inputsPerTurn === 0) await takeTurn(holder);
    mapped.push(map(value, position));
  }
  return mapped;
}

/**
 * Writes contacts and emits an event for each.
 * @throws RetryTransaction if another transaction took an identifier
 */
export async function writeContacts(
  { db, emit }: Context<'audience.contact.created' | 'audience.contact.updated'>,
  writes: readonly ContactWrite[],
): Promise<void> {
  const stored = storeContacts(db, writes);
  // The events are built while the database writes.
  for (const { before, after } of writes) {
    const name = before === null ? 'audience.contact.created' : 'audience.contact.updated';
    emit(name, { subjectId: after.id, personId: after.id, data: { contact: presentContact(after) } });
  }
  await stored;
}

/** Returns a refusal instead of throwing it: in a batch it rejects one row only. */
function resultOrError<R>(work: () => R): R | SvcError {
  try {
    return work();
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

interface Draft {
  changes: ContactChanges;
  identifiers: Identifiers;
}

function draftOf(input: ContactChanges): Draft {
  const changes = normalizeChanges(input);
  return { changes, identifiers: identifiersOf(changes) };
}

const identifiersOf = ({ externalId, email, phone }: ContactChanges): Identifiers => ({
  externalId: externalId ?? null,
  emailKey: email == null ? null : addressKey('email', email),
  phone: phone ?? null,
});

/** The values of a column that an identifier matches: numbers that reach one phone are one number. */
const formsOf = (name: Identifier, value: string): readonly string[] =>
  name === 'phone' ? addressKeys('sms', value) : [value];

/** Whether two contacts cannot both have these values. */
const isSame = (name: Identifier, a: string | null, b: string | null): boolean =>
  a !== null && b !== null && (a === b || (name === 'phone' && samePhone(a, b)));

/** Locks the contacts that have any of these identifiers. */
async function lockMatching(db: Session, environmentId: string, wanted: readonly Identifiers[]): Promise<ContactRow[]> {
  const [only] = wanted;
  return only && wanted.length === 1
    ? lockMatchingOne(db, environmentId, only)
    : lockContacts(db, await findMatching(db, environmentId, wanted));
}

/**
 * The same for one contact, in one round trip. The inner SELECTs take no locks, so no transaction waits for an index
 * entry while it has a row locked.
 */
async function lockMatchingOne(db: Session, environmentId: string, wanted: Identifiers): Promise<ContactRow[]> {
  const lookups = identifiers.flatMap((name) =>
    wanted[name] === null
      ? []
      : formsOf(name, wanted[name]).map((form) => ({ column: contacts.columnName(name), value: Buffer.from(form) })),
  );
  if (lookups.length === 0) return [];
  const matching = lookups
    .map(({ column }) => `SELECT id FROM audience_contact WHERE environment_id = ? AND ${column} = ?`)
    .join(' UNION ');
  const rows = await db.prepared<object>(
    `SELECT ${contacts.columnList('c')} FROM (${matching}) m STRAIGHT_JOIN audience_contact c ON c.id = m.id FOR UPDATE`,
    lookups.flatMap(({ value }) => [idBytes(environmentId), value]),
  );
  return rows.map((row) => contacts.decode(row));
}

/** Ids of the contacts that have any of these identifiers. */
async function findMatching(db: Session, environmentId: string, wanted: readonly Identifiers[]): Promise<string[]> {
  const lookups = identifiers
    .map((name) => ({
      column: contacts.columnName(name),
      values: wanted.flatMap((each) =>
        each[name] === null ? [] : formsOf(name, each[name]).map((form) => Buffer.from(form)),
      ),
    }))
    .filter(({ values }) => values.length > 0);
  if (lookups.length === 0) return [];
  const rows = await db.rows<{ id: Buffer }>(
    lookups
      .map(({ column }) => `SELECT id FROM audience_contact WHERE environment_id = ? AND ${column} IN (?)`)
      .join(' UNION ALL '),
    lookups.flatMap(({ values }) => [idBytes(environmentId), values]),
  );
  return [...new Set(rows.map(({ id }) => idText(id)))];
}

/**
 * Locks a contact together with the contacts that have the identifiers it will get, in the order of their ids:
 * otherwise two contacts that want each other's address would deadlock.
 * @param changes from `normalizeChanges`
 * @returns the contact as it is now, null if it was deleted in the meantime; and the input fields whose identifiers
 * other contacts have
 */
export async function lockForUpdate(
  db: Session,
  { id, environmentId }: ContactRow,
  changes: ContactChanges,
): Promise<{ before: ContactRow | null; conflicts: string[] }> {
  const wanted = identifiersOf(changes);
  const rows = await lockContacts(db, [...new Set([id, ...(await findMatching(db, environmentId, [wanted]))])]);
  const others = rows.filter((row) => row.id !== id);
  const conflicts = identifiers.filter((name) => others.some((row) => isSame(name, row[name], wanted[name])));
  return { before: rows.find((row) => row.id === id) ?? null, conflicts: conflicts.map((name) => inputFields[name]) };
}

/** @throws contact_conflict, invalid_input */
function planUpsert(
  index: BatchIndex,
  { changes, identifiers: wanted }: Draft,
  options: UpsertOptions & Pick<Context, 'vault'> & { now: Date },
): UpsertResult {
  const { environmentId, onConflict, vault, now } = options;
  const match = findMatch(index, wanted, options);
  if (!match) {
    const after = applyChanges(newContact(environmentId, now), changes, vault);
    const write: ContactWrite = { before: null, after };
    index.set(write, after);
    return { outcome: 'created', contact: after, write };
  }
  if (onConflict === 'skip') return { outcome: 'skipped', contact: match.after, write: match };
  const after = { ...applyChanges(match.after, changes, vault), updatedAt: updateTime(match.after, now) };
  if (changesOf(match.after, after).length === 0) return { outcome: 'unchanged', contact: match.after, write: match };
  index.set(match, after);
  return { outcome: 'updated', contact: after, write: match };
}

/**
 * The contact that the identifiers match. A contact that matches by email or phone but has a different external id is
 * another person: two customers who share an address are not merged.
 * @throws contact_conflict
 */
function findMatch(
  index: BatchIndex,
  wanted: Identifiers,
  { fail, namesOwner }: Pick<UpsertOptions, 'fail' | 'namesOwner'>,
): ContactWrite | undefined {
  const matches = identifiers.flatMap((name) => {
    const value = wanted[name];
    const write = value === null ? undefined : index.find(name, value);
    return write ? [{ name, write }] : [];
  });
  const [first] = matches;
  if (!first) return undefined;
  const conflict = (names: readonly Identifier[], owner = ''): SvcError => {
    const fields = names.map((name) => inputFields[name]);
    return fail.contact_conflict({ fields: fields.join(', '), owner, details: { fields } });
  };
  if (matches.some(({ write }) => write !== first.write)) throw conflict(matches.map(({ name }) => name));
  const { externalId } = first.write.after;
  if (wanted.externalId !== null && externalId !== null && externalId !== wanted.externalId)
    throw conflict(
      ['externalId', first.name],
      namesOwner
        ? ` The contact with this ${inputFields[first.name]} has the external id “${externalId}”, which audience.contact.update can change.`
        : '',
    );
  return first.write;
}

/** The values that a contact is matched by. */
type Identifiers = Readonly<Pick<ContactRow, Identifier>>;

/** The contacts of a batch by their identifiers, including what earlier rows of the batch changed. */
interface BatchIndex {
  find(identifier: Identifier, value: string): ContactWrite | undefined;
  /** Replaces a contact by `after`, which is found by its new identifiers only. */
  set(write: ContactWrite, after: ContactRow): void;
  /** Every contact that `set` changed. */
  writes(): ContactWrite[];
}

/** @param rows the existing contacts that the batch may match */
function createBatchIndex(rows: readonly ContactRow[]): BatchIndex {
  const keyOf = (name: Identifier, value: string): string => `${name} ${name === 'phone' ? phoneKey(value) : value}`;
  const entries = new Map<string, ContactWrite>();
  const changed = new Set<ContactWrite>();
  const keysOf = (row: Identifiers): string[] =>
    identifiers.flatMap((name) => (row[name] === null ? [] : [keyOf(name, row[name])]));
  for (const row of rows) {
    const write: ContactWrite = { before: row, after: row };
    for (const key of keysOf(row)) entries.set(key, write);
  }
  return {
    find: (identifier, value) => entries.get(keyOf(identifier, value)),
    set(write, after) {
      for (const key of keysOf(write.after)) if (entries.get(key) === write) entries.delete(key);
      write.after = after;
      for (const key of keysOf(after)) entries.set(key, write);
      changed.add(write);
    },
    writes: () => [...changed],
  };
}
