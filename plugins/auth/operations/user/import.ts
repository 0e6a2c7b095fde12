import { counted } from '#config/counted.js';
import { defineOperation } from '#core/kernel/operation.js';
import { anything, count, either, integer, list, map, object, text } from '#core/kernel/schema/schema.js';
import { takeTurn } from '#core/runtime/take-turn.js';
import { importRows } from '../../imports/run.js';
import { checkRow, UserImport, type ImportRow, type Rejection } from '../../imports/row.js';

/** The largest number of users in one call. */
const maxUsers = 1_000;
/** The number of rows checked in one turn of the event loop: a few milliseconds. */
const rowsPerTurn = 100;

export default defineOperation({
  name: 'auth.user.import',
  summary: 'Bring up to 1,000 users at once from another system, with their password hashes and TOTP secrets.',
  description: `Each row is imported, or rejected with its index (from 0), a code and a message; the others go on. A row is matched with a user by externalId, then by an address that the user has proven: such a user gets the row’s name, metadata (merged key by key), external id where there is none, and new addresses and numbers; password, TOTP and what is proven stay as they are. Password hashes may be argon2id, argon2i, bcrypt, scrypt, Firebase’s scrypt or PBKDF2, and are replaced by argon2id at the first sign-in; those that would cost a sign-in more than about a second are rejected. Imported TOTP secrets count at once. docs/moving.md says how to write what Clerk, Auth0 and Firebase export. A repeat changes nothing.`,
  keywords: 'migrate move bulk upload clerk auth0 firebase cognito',
  access: 'secret',
  impact: { retrySafe: true },
  bodyLimit: 4 * 1024 * 1024,
  prepareOnlyComputes: true,
  input: object({
    // Any object is accepted here: one invalid row must not refuse the others. Each is checked against UserImport.
    users: list(either(map(anything()), UserImport), `The users, ${maxUsers} at most.`, { minItems: 1 }),
  }),
  output: object({
    created: count('New users.'),
    updated: count('Rows that matched a user, changed or not.'),
    rejected: list(
      object({
        index: integer('The row’s position in `users`, from 0.', { minimum: 0 }),
        code: text('An error code: invalid_input, identity_taken or limit_reached.'),
        message: text('What is wrong with it.'),
      }),
      'Rows that were not imported, in their order.',
    ),
  }),
  errors: ['batch_too_large'],
  events: ['auth.user.created', 'auth.user.updated'],
  example: {
    input: {
      users: [
        {
          externalId: 'user_1024',
          email: 'ada@example.com',
          emailVerified: true,
          name: 'Ada Lovelace',
          passwordHash: '$2b$10$EIXMTA0gcqfeVWZQ5yWMLeXaTTsPXMkkHRgy4pRqZl5hWgWXcPxsS',
          createdAt: '2021-03-04T05:06:07.000Z',
        },
        { name: 'Nobody' },
      ],
    },
    output: {
      created: 1,
      updated: 0,
      rejected: [
        {
          index: 1,
          code: 'invalid_input',
          message: 'The field “externalId” is missing: a user needs at least one of externalId, email and phone.',
        },
      ],
    },
  },

  async prepare({ users }, { caller, clock, fail }) {
    if (users.length > maxUsers) throw fail.batch_too_large({ count: users.length, things: 'users', limit: maxUsers });
    const now = clock.now();
    const rows: ImportRow[] = [];
    const rejected: Rejection[] = [];
    for (const [index, given] of users.entries()) {
      if (index % rowsPerTurn === 0) await takeTurn(`environment ${caller.environment.id}`);
      const checked = checkRow(index, given, now);
      if ('code' in checked) rejected.push(checked);
      else rows.push(checked);
    }
    return { rows, rejected };
  },

  async handle({ users }, context) {
    const { caller, audit, prepared } = context;
    const { created, updated, changed, rejected } = await importRows(context, caller.environment, prepared.rows);
    const all = [...prepared.rejected, ...rejected].sort((a, b) => a.index - b.index);
    const counts = { 'users created': created, 'users changed': changed };
    audit({
      summary: `Imported ${counted(users.length, 'row')}: ${counted(created, 'user')} created, ${changed} changed, ${counted(all.length, 'row')} rejected.`,
      changes: Object.entries(counts).flatMap(([field, to]) => (to === 0 ? [] : [{ field, from: null, to }])),
      unchanged: 'no row held anything new.',
    });
    return { created, updated, rejected: all };
  },
});
