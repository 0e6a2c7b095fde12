import { isRecord, parseJson, textAt } from '#core/runtime/json.js';
import { headerOf, tableRows } from '../files/csv.js';
import type { Entry } from '../files/entry.js';
import { jsonRecords } from '../files/json.js';
import { startOf } from '../files/text.js';
import type { Found, MoveSettings, Note, Place } from '../found.js';
import { timeOf } from '../values.js';
import { left, note, unequalCells, unknownLayout, type Source } from './source.js';
import { addressOf, fullName, phoneOf, refuseWithout } from './users.js';

/*
 * Auth0 exports users as one JSON object per line or as CSV
 * (https://auth0.com/docs/manage-users/user-migration/bulk-user-exports), with the fields that the export names, and
 * the extension User Import / Export with names such as “Email Verified”. Text in a CSV begins with an apostrophe. The
 * file with password hashes, which support provides, has one object per line, with bcrypt hashes
 * (https://community.auth0.com/t/password-hashes-export-data-format/58730): the id of its user is alt_id, or else _id.
 */

type Fields = Readonly<Record<string, unknown>>;
type Kind = 'users' | 'csv' | 'passwords';

const help =
  'Export the users with the fields user_id, email, email_verified, name, created_at, app_metadata, user_metadata and blocked, and pass Auth0’s file with password hashes too.';

export const auth0: Source = {
  service: 'Auth0',
  moves: 'users',
  async prepare(entries, settings) {
    const kinds = new Map<Entry, Kind>();
    for (const entry of entries) kinds.set(entry, await kindOf(entry));
    const { passwords, incomplete } = await readPasswords(entries.filter((entry) => kinds.get(entry) === 'passwords'));
    return async function* () {
      const unused = new Set(passwords.keys());
      for (const [entry, kind] of kinds) {
        if (kind === 'passwords') continue;
        for await (const record of kind === 'csv' ? csvRecords(entry) : jsonRecords(entry)) {
          unused.delete(fieldOf(record.value, 'user_id'));
          yield found(record, passwords, settings);
        }
      }
      for (const id of unused) {
        const { place } = passwords.get(id) ?? {};
        if (place) yield left(place, id, 'a password whose user is in none of the files');
      }
      yield* incomplete;
    };
  },
};

/** Records that a file is judged by: the first may lack fields. */
const judged = 1_000;

async function kindOf(entry: Entry): Promise<Kind> {
  const expected = ['user_id', 'email', 'email_verified', '…'];
  if (!/^[[{]/.test(await startOf(entry, 1))) {
    const header = await headerOf(entry);
    if (fieldOf(Object.fromEntries(header.map((name) => [name, 'x'])), 'user_id') !== '') return 'csv';
    throw unknownLayout(entry, header, [expected], help);
  }
  const names = new Set<string>();
  let [records, isUsers] = [0, false];
  for await (const { value } of jsonRecords(entry)) {
    if (idOfPassword(value) !== null && textAt(value, 'passwordHash') !== null) return 'passwords';
    if (fieldOf(value, 'user_id') !== '') isUsers = true;
    for (const name of Object.keys(value)) names.add(name);
    if (++records === judged) break;
  }
  if (!isUsers && records > 0)
    throw unknownLayout(entry, [...names], [expected, ['_id', 'email', 'passwordHash']], help);
  return 'users';
}

/** Names of fields in exports of the extension. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  user_id: ['Id', 'id', 'User Id'],
  email: ['Email'],
  email_verified: ['Email Verified'],
  phone_number: ['Phone Number'],
  phone_verified: ['Phone Verified'],
  name: ['Name'],
  given_name: ['Given Name'],
  family_name: ['Family Name'],
  username: ['Username'],
  created_at: ['Created At'],
  blocked: ['Blocked'],
};

function fieldOf(value: Fields, name: string): string {
  const found = [name, ...(aliases[name] ?? [])]
    .map((each) => value[each])
    .find((each) => each !== undefined && each !== null);
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean'
    ? String(found).trim()
    : '';
}

interface UserRecord {
  readonly place: Place;
  readonly value: Fields;
  /** Why the record is not moved. */
  readonly problem?: string;
}

async function* csvRecords(entry: Entry): AsyncGenerator<UserRecord> {
  for await (const { place, cells, unequal } of tableRows(entry)) {
    const value: Record<string, unknown> = {};
    for (const [name, cell] of cells) if (cell !== '') value[name] = cell.replace(/^'/, '');
    if (unequal !== undefined) {
      yield { place, value, problem: unequalCells(unequal, cells.size) };
      continue;
    }
    // Metadata has a column for each of its fields: user_metadata.country.
    for (const root of ['app_metadata', 'user_metadata']) {
      const fields = Object.entries(value).filter(([name]) => name.startsWith(`${root}.`));
      if (fields.length > 0)
        value[root] = Object.fromEntries(fields.map(([name, text]) => [name.slice(root.length + 1), text]));
    }
    yield { place, value };
  }
}

interface Password {
  readonly place: Place;
  readonly hash: string;
}

type Passwords = ReadonlyMap<string, Password>;

const idOfPassword = (value: Fields): string | null =>
  textAt(value, 'alt_id') ?? textAt(value, '_id', '$oid') ?? textAt(value, '_id');

/**
 * The hashes by the ids of their users, and the records without one: about 200 bytes of memory each, because the files
 * have different orders.
 */
async function readPasswords(entries: readonly Entry[]): Promise<{ passwords: Passwords; incomplete: Found[] }> {
  const passwords = new Map<string, Password>();
  const incomplete: Found[] = [];
  for (const entry of entries)
    for await (const { place, value } of jsonRecords(entry)) {
      const id = idOfPassword(value);
      const hash = textAt(value, 'passwordHash');
      if (id !== null && hash !== null) passwords.set(id.startsWith('auth0|') ? id : `auth0|${id}`, { place, hash });
      else incomplete.push(left(place, id ?? '', `the record has no ${id === null ? '_id' : 'passwordHash'}`));
    }
  return { passwords, incomplete };
}

function found({ place, value, problem }: UserRecord, passwords: Passwords, settings: MoveSettings): Found {
  const field = (name: string): string => fieldOf(value, name);
  const isTrue = (name: string): boolean => field(name).toLowerCase() === 'true';
  const externalId = field('user_id');
  if (problem !== undefined) return left(place, externalId, problem);
  if (externalId === '') return left(place, field('email'), 'the record has no user_id');
  const notes: Note[] = [];
  const hasPassword = externalId.startsWith('auth0|');
  const hash = settings.passwords ? passwords.get(externalId)?.hash : undefined;
  if (hasPassword && passwords.size === 0)
    refuseWithout(
      settings,
      'The file with password hashes is missing.',
      'Request it from Auth0’s support, and pass both files.',
    );
  if (hasPassword && settings.passwords && hash === undefined)
    notes.push(note(place, externalId, 'the file with password hashes has none of this user, who signs in by code'));
  const createdAt = timeOf(field('created_at'));
  const own = metadataOf(value['user_metadata']);
  const app = metadataOf(value['app_metadata']);
  const isReadable = settings.columns.get('app_metadata') === 'metadata';
  const metadata = {
    ...(isReadable ? app : {}),
    ...(own ? { userMetadata: own } : {}),
    ...(field('username') === '' ? {} : { username: field('username') }),
  };
  const name = field('name');
  return {
    place,
    notes,
    user: {
      row: {
        externalId,
        ...addressOf(field('email'), isTrue('email_verified'), place, externalId, notes),
        ...phoneOf(field('phone_number'), isTrue('phone_verified'), place, externalId, notes),
        // Without a name, Auth0 states the address.
        ...(name === '' || name === field('email') ? fullName(field('given_name'), field('family_name')) : { name }),
        ...(hash === undefined ? {} : { passwordHash: hash }),
        ...(createdAt === undefined ? {} : { createdAt }),
        ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      },
      further: [],
      privateMetadata: isReadable || settings.columns.get('app_metadata') === 'ignore' ? undefined : app,
      banned: isTrue('blocked') ? 'Blocked at Auth0.' : undefined,
    },
  };
}

function metadataOf(value: unknown): Fields | undefined {
  const metadata = typeof value === 'string' ? parseJson(value) : value;
  return isRecord(metadata) && Object.keys(metadata).length > 0 ? metadata : undefined;
}
