import { headerOf, tableRows, type TableRow } from '../files/csv.js';
import type { Found, MoveSettings, Note, UserRow } from '../found.js';
import { isAddress, timeOf } from '../values.js';
import { has, left, note, unknownLayout, type Source } from './source.js';
import { addressOf, firebaseHash, fullName, phoneOf, secretOf } from './users.js';

/*
 * The CSV that Clerk's dashboard writes: Settings, User exports
 * (https://clerk.com/docs/guides/development/migrating/export-from-clerk). Its columns are in the samples of Clerk's
 * own migration tool (https://github.com/clerk/migration-tool, samples/clerk.csv). Cells with several addresses separate them
 * by “|” or “,”.
 */

const columns = [
  ...['id', 'first_name', 'last_name', 'username', 'primary_email_address', 'primary_phone_number'],
  ...['verified_email_addresses', 'unverified_email_addresses', 'verified_phone_numbers', 'unverified_phone_numbers'],
  ...['totp_secret', 'password_digest', 'password_hasher'],
];

/** Hashers whose digests auth.user.import takes as they are. */
const sameHash = [
  ...['bcrypt', 'bcrypt_sha256_django', 'argon2id', 'argon2i'],
  ...['pbkdf2_sha256_django', 'scrypt_werkzeug'],
];

export const clerk: Source = {
  service: 'Clerk',
  moves: 'users',
  async prepare(entries, settings) {
    for (const entry of entries) {
      const header = await headerOf(entry);
      if (
        !has(header, ['id', 'primary_email_address', 'verified_email_addresses', 'password_digest', 'password_hasher'])
      )
        throw unknownLayout(
          entry,
          header,
          [columns],
          'In Clerk’s dashboard, open Settings, User exports. Exports of the CLI and the Backend API have no passwords, and cannot be read.',
        );
    }
    return async function* () {
      for (const entry of entries) for await (const row of tableRows(entry)) yield found(row, settings);
    };
  },
};

const listOf = (cell: string): string[] =>
  cell
    .split(/[|,;]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

function found({ place, cells, unequal }: TableRow, settings: MoveSettings): Found {
  const cell = (column: string): string => cells.get(column) ?? '';
  const externalId = cell('id');
  if (unequal !== undefined)
    return left(place, externalId, `the row has ${unequal} cells, and the header line ${cells.size}`);
  if (externalId === '') return left(place, cell('primary_email_address'), 'the row has no id');
  const notes: Note[] = [];
  const verifiedEmails = listOf(cell('verified_email_addresses'));
  const verifiedPhones = listOf(cell('verified_phone_numbers'));
  const emails = [cell('primary_email_address'), ...verifiedEmails, ...listOf(cell('unverified_email_addresses'))];
  const phones = [cell('primary_phone_number'), ...verifiedPhones, ...listOf(cell('unverified_phone_numbers'))];
  const [email = '', ...otherEmails] = distinct(emails);
  const [phone = '', ...otherPhones] = distinct(phones);
  const createdAt = timeOf(cell('created_at'));
  const row: UserRow = {
    externalId,
    ...addressOf(email, verifiedEmails.includes(email), place, externalId, notes),
    ...phoneOf(phone, verifiedPhones.includes(phone), place, externalId, notes),
    ...fullName(cell('first_name'), cell('last_name')),
    ...passwordOf(cell('password_digest'), cell('password_hasher')),
    ...secretOf(cell('totp_secret'), place, externalId, notes),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(cell('username') === '' ? {} : { metadata: { username: cell('username') } }),
  };
  const further = [
    ...otherEmails.filter(isAddress).map((each) => ({
      ...{ externalId, email: each, emailVerified: verifiedEmails.includes(each) },
    })),
    ...otherPhones
      .map((each) => phoneOf(each, verifiedPhones.includes(each), place, externalId, notes))
      .filter((each) => each.phone !== undefined)
      .map((each) => ({ externalId, ...each })),
  ];
  if (!settings.passwords) {
    const { passwordHash: _hash, ...rest } = row;
    return { place, notes, user: { row: rest, further, privateMetadata: undefined, banned: undefined } };
  }
  if (cell('password_digest') !== '' && row.passwordHash === undefined)
    notes.push(
      note(
        place,
        externalId,
        `the password is moved only of known hashers, not of ${cell('password_hasher')}: the user signs in by code`,
      ),
    );
  return { place, notes, user: { row, further, privateMetadata: undefined, banned: undefined } };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];

function passwordOf(digest: string, hasher: string): { passwordHash?: string } {
  if (digest === '') return {};
  if (sameHash.includes(hasher)) return { passwordHash: digest };
  if (hasher !== 'scrypt_firebase') return {};
  const [hash = '', salt = '', signerKey = '', saltSeparator = '', rounds, memCost] = digest.split('$');
  return {
    passwordHash: firebaseHash(hash, salt, {
      ...{ signerKey, saltSeparator, rounds: Number(rounds), memCost: Number(memCost) },
    }),
  };
}
