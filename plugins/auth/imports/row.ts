import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import {
  boolean,
  dateTime,
  email,
  named,
  nullable,
  object,
  optional,
  phone,
  text,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { earliestMs } from '#core/kernel/schema/past-date.js';
import { inputProblem } from '#core/kernel/schema/validation/validate.js';
import { emailIdentity, phoneIdentity, type IdentityFacts } from '../identities/normalize.js';
import { maxImportedLength, parseHash } from '../passwords/formats/parse.js';
import { externalId, normalizeFacts, userName } from '../users/input.js';
import { mergeMetadata, metadataInput } from '../users/metadata.js';
import { trimEnd } from '#core/runtime/trim-end.js';

/** A row of auth.user.import. Exports write null for what a user does not have. */
export const UserImport = named(
  'UserImport',
  object(
    {
      externalId: optional(nullable(externalId)),
      email: optional(nullable(email('The user’s address.'))),
      emailVerified: optional(nullable(boolean('Whether the other system had verified the address. Default: false.'))),
      phone: optional(nullable(phone('The user’s number, E.164.'))),
      phoneVerified: optional(nullable(boolean('Whether the other system had verified the number. Default: false.'))),
      name: optional(nullable(userName)),
      passwordHash: optional(
        nullable(
          text(
            'The password hash: argon2, bcrypt, scrypt (including Firebase’s) or PBKDF2, in the formats of docs/moving.md.',
            {
              minLength: 1,
              maxLength: maxImportedLength,
            },
          ),
        ),
      ),
      totpSecret: optional(
        nullable(
          text('The secret of the user’s authenticator app, in base32: 16 to 64 bytes.', {
            minLength: 16,
            maxLength: 160,
          }),
        ),
      ),
      createdAt: optional(nullable(dateTime('When the user was created in the other system. Default: now.'))),
      metadata: optional(nullable(metadataInput('Writable only with secret keys; the user can read it.'))),
    },
    { description: 'A user of another system, with at least one of externalId, email and phone.' },
  ),
);
type UserImportValue = ValueOf<typeof UserImport>;

/** A row that was checked on its own, before the database is queried. */
export interface ImportRow {
  /** Its position in the call, from 0. */
  readonly index: number;
  readonly externalId: string | null;
  readonly identities: readonly (IdentityFacts & { readonly verified: boolean })[];
  readonly name: string | null;
  readonly passwordHash: string | null;
  readonly totpSecret: Buffer | null;
  readonly createdAt: Date | null;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
}

/** An identity's name in maps. */
export const identityName = ({ kind, key }: { kind: string; key: string }): string => `${kind}:${key}`;

/** A row that is not imported, and why. */
export interface Rejection {
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

const isRow = (given: unknown, problems: SvcError[]): given is UserImportValue => {
  const problem = inputProblem(UserImport, given);
  if (problem) problems.push(problem);
  return problem === undefined;
};

/**
 * Checks one row.
 * @param now a user cannot have been created after this time
 */
export function checkRow(index: number, given: unknown, now: Date): ImportRow | Rejection {
  const problems: SvcError[] = [];
  try {
    if (isRow(given, problems)) return readRow(index, given, now);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    problems.push(error);
  }
  const { code, message } = problems[0] ?? invalidField('row', 'is invalid');
  return { index, code, message };
}

/** @throws invalid_input */
function readRow(index: number, row: UserImportValue, now: Date): ImportRow {
  const facts = normalizeFacts({ name: row.name, externalId: row.externalId });
  const { email: address, phone: number, passwordHash = null, metadata } = row;
  const identities = [
    ...(typeof address === 'string' ? [{ ...emailIdentity(address), verified: row.emailVerified === true }] : []),
    ...(typeof number === 'string' ? [{ ...phoneIdentity(number), verified: row.phoneVerified === true }] : []),
  ];
  if (identities.length === 0 && typeof facts.externalId !== 'string')
    throw invalidField('externalId', 'is missing: a user needs at least one of externalId, email and phone');
  const parsed = passwordHash === null ? undefined : parseHash(passwordHash);
  if (parsed?.ok === false) throw invalidField('passwordHash', parsed.problem);
  const createdAt = typeof row.createdAt === 'string' ? new Date(row.createdAt) : null;
  if (createdAt && createdAt > now) throw invalidField('createdAt', 'must not be in the future');
  if (createdAt && createdAt.getTime() < earliestMs) throw invalidField('createdAt', 'must not lie before 1900');
  // Checks its limits. It is merged with an existing user's metadata later.
  mergeMetadata('metadata', '{}', metadata ?? undefined);
  return {
    index,
    externalId: facts.externalId ?? null,
    identities,
    name: facts.name ?? null,
    passwordHash: parsed?.stored ?? passwordHash,
    totpSecret: typeof row.totpSecret === 'string' ? readSecret(row.totpSecret) : null,
    createdAt,
    metadata: metadata ?? undefined,
  };
}

/** RFC 4226 section 4: a secret has at least 128 bits. Users with a shorter one must set up their app again. */
function readSecret(secret: string): Buffer {
  const bytes = base32Bytes(secret);
  if (!bytes || bytes.length < 16 || bytes.length > 64) throw invalidField('totpSecret', totpProblem(bytes));
  return bytes;
}

const totpProblem = (bytes: Buffer | undefined): string =>
  bytes && bytes.length < 16
    ? `has ${bytes.length * 8} bits, but at least 128 are required (RFC 4226). Import the user without it and let them set up their app again`
    : 'must be 16 to 64 bytes in base32 (A to Z and 2 to 7)';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The bytes of a text in base32 (RFC 4648), in any case, with or without padding, white space and hyphens.
 * @returns undefined for other text
 */
function base32Bytes(text: string): Buffer | undefined {
  const digits = trimEnd(text.replace(/[\s-]/g, ''), '=').toUpperCase();
  let [bits, value] = [0, 0];
  const bytes: number[] = [];
  for (const digit of digits) {
    const number = alphabet.indexOf(digit);
    if (number === -1) return undefined;
    value = ((value << 5) | number) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
