import { SvcError, type ErrorMakers } from '#core/kernel/errors/errors.js';
import type { Session } from '#core/runtime/database/session.js';
import { idBytes, idText } from '#core/runtime/id.js';
import { identifiers, type ContactRow, type Identifier } from '../tables/contact.js';
import { addressKey } from './address.js';
import type { Context } from '#core/kernel/context.js';
import { openBook, type Book, type Identified } from './batch-index.js';
import { changed, newContact, normalised, type ContactChanges } from './changes.js';
import { lockContacts } from './find.js';
import { changesOf } from './audit.js';
import { presentContact } from './present.js';
import { storeContacts, type ContactWrite } from './store.js';

/** What became of one of the contacts that were to be created or updated. */
export type Upserted =
  | {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped';
      /** The contact as this one left it; a later one may have changed it further. */
      contact: ContactRow;
      write: ContactWrite;
    }
  | { outcome: 'refused'; error: SvcError };

export interface UpsertOptions {
  environmentId: string;
  /** `skip` leaves contacts that are there as they are. */
  onConflict: 'update' | 'skip';
  fail: ErrorMakers<'contact_conflict', SvcError>;
}

const inputNames: Readonly<Record<Identifier, string>> = {
  externalId: 'externalId',
  emailKey: 'email',
  phone: 'phone',
};

/** What is to become of some contacts, and what is to be written for it. */
export interface UpsertPlan {
  /** In the order given. */
  results: Upserted[];
  writes: ContactWrite[];
}

/**
 * What becomes of contacts that are created or updated in the order given, each seeing what those before it did: matched by external id,
 * then address, then phone. One statement looks all of them up, and one locks them, however many they are.
 * @param given what is said of each; see `normalised`
 * @returns what became of each; nothing of a refused one is to be written
 */
export async function planUpserts(
  scene: Context,
  given: readonly ContactChanges[],
  options: UpsertOptions,
): Promise<UpsertPlan> {
  const now = scene.clock.now();
  const drafts = given.map((changes) => caught(() => draftOf(changes)));
  const asked = drafts.flatMap((draft) => (draft instanceof SvcError ? [] : [draft.asked]));
  const book = openBook(await lockMatching(scene.db, options.environmentId, asked));
  const results = drafts.map((draft): Upserted => {
    const done = draft instanceof SvcError ? draft : caught(() => upsert(book, draft, scene, options, now));
    return done instanceof SvcError ? { outcome: 'refused', error: done } : done;
  });
  return { results, writes: book.writes() };
}

/**
 * Writes contacts, with an event for each.
 * @throws RetryTransaction when somebody else took an identifier meanwhile
 */
export async function writeContacts(
  { db, emit }: Context<'audience.contact.created' | 'audience.contact.updated'>,
  writes: readonly ContactWrite[],
): Promise<void> {
  const stored = storeContacts(db, writes);
  // While the database writes them.
  for (const { before, after } of writes) {
    const name = before === null ? 'audience.contact.created' : 'audience.contact.updated';
    emit(name, { subjectId: after.id, personId: after.id, data: { contact: presentContact(after) } });
  }
  await stored;
}

/** A refusal as a value: in a batch it is one row's. */
function caught<R>(work: () => R): R | SvcError {
  try {
    return work();
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

interface Draft {
  changes: ContactChanges;
  /** What it is matched by. */
  asked: Identified;
}

function draftOf(given: ContactChanges): Draft {
  const changes = normalised(given);
  return { changes, asked: identifiedBy(changes) };
}

const identifiedBy = ({ externalId, email, phone }: ContactChanges): Identified => ({
  externalId: externalId ?? null,
  emailKey: email == null ? null : addressKey('email', email),
  phone: phone ?? null,
});

/** The contacts that have any of these identifiers, locked. */
const lockMatching = async (db: Session, environmentId: string, asked: readonly Identified[]): Promise<ContactRow[]> =>
  lockContacts(db, await matching(db, environmentId, asked));

/** Ids of the contacts that have any of these identifiers. */
async function matching(db: Session, environmentId: string, asked: readonly Identified[]): Promise<string[]> {
  const column = { externalId: 'external_id', emailKey: 'email_key', phone: 'phone' } as const;
  const branches = identifiers
    .map((name) => ({ name, values: asked.flatMap((each) => (each[name] === null ? [] : [Buffer.from(each[name])])) }))
    .filter(({ values }) => values.length > 0);
  if (branches.length === 0) return [];
  const rows = await db.rows<{ id: Buffer }>(
    branches
      .map(({ name }) => `SELECT id FROM audience_contact WHERE environment_id = ? AND ${column[name]} IN (?)`)
      .join(' UNION ALL '),
    branches.flatMap(({ values }) => [idBytes(environmentId), values]),
  );
  return [...new Set(rows.map(({ id }) => idText(id)))];
}

/**
 * Locks a contact together with everybody who has an identifier that it is to get, all in the order of their ids: two contacts that want
 * each other's address would otherwise wait for each other in a ring.
 * @param draft what is to change, normalised
 * @returns the contact as it is now, null where it was deleted meanwhile; and which of the identifiers others have, as the input names them
 */
export async function lockForChange(
  db: Session,
  { id, environmentId }: ContactRow,
  draft: ContactChanges,
): Promise<{ before: ContactRow | null; taken: string[] }> {
  const asked = identifiedBy(draft);
  const rows = await lockContacts(db, [...new Set([id, ...(await matching(db, environmentId, [asked]))])]);
  const others = rows.filter((row) => row.id !== id);
  const taken = identifiers.filter((name) => asked[name] !== null && others.some((row) => row[name] === asked[name]));
  return { before: rows.find((row) => row.id === id) ?? null, taken: taken.map((name) => inputNames[name]) };
}

/** @throws contact_conflict, invalid_input */
function upsert(
  book: Book,
  { changes, asked }: Draft,
  { vault }: Context,
  { environmentId, onConflict, fail }: UpsertOptions,
  now: Date,
): Upserted {
  const match = matchIn(book, asked, fail);
  if (!match) {
    const after = changed(newContact(environmentId, now), changes, vault);
    const write: ContactWrite = { before: null, after };
    book.put(write, after);
    return { outcome: 'created', contact: after, write };
  }
  if (onConflict === 'skip') return { outcome: 'skipped', contact: match.after, write: match };
  const after = { ...changed(match.after, changes, vault), updatedAt: now };
  if (changesOf(match.after, after).length === 0) return { outcome: 'unchanged', contact: match.after, write: match };
  book.put(match, after);
  return { outcome: 'updated', contact: after, write: match };
}

/**
 * The one contact that is meant. Whoever is found by a weaker identifier but has another, stronger one of the same kind is somebody else:
 * two customers who share an address are not merged.
 */
function matchIn(
  book: Book,
  asked: Identified,
  fail: ErrorMakers<'contact_conflict', SvcError>,
): ContactWrite | undefined {
  const found = identifiers.flatMap((name) => {
    const value = asked[name];
    const write = value === null ? undefined : book.at(name, value);
    return write ? [{ name, write }] : [];
  });
  const [first] = found;
  if (!first) return undefined;
  const conflict = (names: readonly Identifier[]): SvcError => {
    const fields = names.map((name) => inputNames[name]);
    return fail.contact_conflict({ fields: fields.join(', '), details: { fields } });
  };
  if (found.some(({ write }) => write !== first.write)) throw conflict(found.map(({ name }) => name));
  const { externalId }: ContactRow = first.write.after;
  if (asked.externalId !== null && externalId !== null && externalId !== asked.externalId)
    throw conflict(['externalId', first.name]);
  return first.write;
}
