import type { Change } from '#core/kernel/context.js';
import { lockOwned } from '#core/kernel/environment/owned.js';
import { remainingField } from '#core/kernel/erasure/remaining.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, uuid } from '#core/kernel/schema/schema.js';
import { exampleUser } from '../../examples.js';
import { erasedUsers } from '../../tables/erased-user.js';
import { users } from '../../tables/user.js';
import { deleteUser, presentErased } from '../../erasure/delete.js';
import { UserWithPrivateMetadata } from '../../users/resources.js';

export default defineOperation({
  name: 'auth.user.delete',
  summary: 'Deletes a user. Sessions end and personal data is erased; audit and consent records are kept.',
  description:
    'Sessions end immediately. Events, audit records, stored replies, deliveries and messages are redacted in the background, within an hour; queued messages to the person are cancelled. Audit and consent records no longer name the person. An organization left without an owner passes to its longest-standing admin or, if there is none, to its longest-standing member; an empty organization is deleted. The reply contains the user’s id and, in `remaining`, other records with the user’s addresses, such as a contact, and the operation that erases each.',
  keywords: 'GDPR forget erasure remove personal data end user customer account',
  access: 'secret',
  impact: { destructive: true, retrySafe: true },
  input: object({ userId: uuid('The user to delete.') }),
  output: object({ user: UserWithPrivateMetadata, remaining: remainingField }),
  events: [
    'auth.user.deleted',
    'auth.session.revoked',
    'auth.org.member_updated',
    'auth.org.deleted',
    'auth.org.invite_revoked',
  ],
  example: {
    input: { userId: exampleUser.id },
    output: {
      user: {
        ...exampleUser,
        email: null,
        emailVerified: false,
        name: null,
        locale: null,
        metadata: {},
        banReason: null,
        privateMetadata: {},
        lastSignInAt: null,
      },
      remaining: [],
    },
  },

  async handle({ userId }, context) {
    const { db, caller, audit } = context;
    // Without the person's id, so that the record of the erasure is not itself erased.
    const erased = (changes: Change[]): void =>
      audit({
        subject: { type: 'user', id: userId },
        summary: 'Deleted a user.',
        changes,
        unchanged: 'the user was already deleted.',
      });
    const locked = await lockOwned(db, users, caller, userId).catch(async (error: unknown) => {
      // The user was deleted before, or by a concurrent call whose commit the lock waited for.
      const before = await db.findOne(erasedUsers, { userId, environmentId: caller.environment.id });
      if (before) return before;
      throw error;
    });
    if ('erasedAt' in locked) {
      erased([]);
      return { user: presentErased(locked), remaining: [] };
    }
    const { entry, remaining, withdrawn } = await deleteUser(context, caller.environment, locked);
    erased([{ field: 'deletedAt', from: null, to: entry.erasedAt.toISOString() }, ...withdrawn]);
    return { user: presentErased(entry), remaining };
  },
});
