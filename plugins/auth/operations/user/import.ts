import { counted } from '#config/counted.js';
import { holderOf } from '#core/kernel/limits/holder-of.js';
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
  summary:
    'Imports up to 1,000 users from another system, with password hashes (argon2id, bcrypt, scrypt or PBKDF2, rehashed at the first sign-in) and TOTP secrets. Rejected rows are reported.',
  description:
    'A rejected row is reported with its index (from 0), a code and a message; the other rows are imported. An existing user is matched by externalId, then by verified address, and gets the row’s name, metadata (merged key by key), external id if it has none, and new addresses and numbers. An existing user never has their password, TOTP secret or verification replaced. Hashes may also be argon2i or Firebase’s scrypt; a hash that would cost a sign-in more than about a second is rejected. Imported TOTP secrets are active immediately. docs/moving.md describes the exports of Clerk, Auth0 and Firebase. A repeat changes nothing.',
  keywords: 'migrate move bulk upload clerk auth0 firebase cognito',
  access: 'secret',
  impact: { retrySafe: true },
  bodyLimit: 4 * 1024 * 1024,
  prepareOnlyComputes: true,
  input: object({
    // Any object is accepted here: one invalid row must not refuse the others. Each is checked against UserImport.
    users: list(either(map(anything()), UserImport), `The users, at most ${maxUsers}.`, { minItems: 1 }),
  }),
  output: object({
    created: count('New users.'),
    updated: count('The number of rows that matched a user, changed or not.'),
    rejected: list(
      object({
        index: integer('The row’s position in `users`, from 0.', { minimum: 0 }),
        code: text('An error code: invalid_input, identity_taken or limit_reached.'),
        message: text('Why it was rejected.'),
      }),
      'The rejected rows, in their order.',
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
      if (index % rowsPerTurn === 0) await takeTurn(holderOf(caller));
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
      unchanged: 'the rows contained nothing new.',
    });
    return { created, updated, rejected: all };
  },
});
