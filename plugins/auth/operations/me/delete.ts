import { defineOperation } from '#core/kernel/operation.js';
import { parsePhone, samePhone } from '#core/kernel/schema/phone.js';
import { sameMailbox } from '#core/kernel/schema/email-address.js';
import { boolean, object, text } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { leavesNoOwner, lockOrganizationsOf } from '../../organizations/deleted-user.js';
import { loadSettings } from '../../settings/load.js';
import { deleteUser } from '../../erasure/delete.js';
import { lockOwnUser } from '../../users/find.js';

export default defineOperation({
  name: 'auth.me.delete',
  summary:
    'Deletes the signed-in user, if the environment allows it. Sessions end and personal data is erased; audit and consent records are kept.',
  description:
    'Requires a recent sign-in and, as confirmation, the user’s primary address (or else their number, or their id). Sessions end immediately; data is erased in the background. A contact with the user’s address is kept until your server deletes it. If the user is the last owner of an organization with other members, make another member an owner first; an organization without other members is deleted. A repeat returns token_invalid, because the user no longer exists.',
  keywords: 'GDPR forget erasure close account remove myself',
  access: 'user',
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  impact: { destructive: true },
  input: object({
    accessToken,
    confirm: text('The user’s own primary address.', { minLength: 1, maxLength: 254 }),
  }),
  output: object({ deleted: boolean('Always true: the user is deleted.') }),
  errors: ['confirmation_mismatch', 'org_last_owner', 'feature_disabled'],
  events: [
    'auth.user.deleted',
    'auth.session.revoked',
    'auth.org.member_updated',
    'auth.org.deleted',
    'auth.org.invite_revoked',
  ],
  example: {
    input: { accessToken: exampleAccessToken, confirm: 'ada@example.com' },
    output: { deleted: true },
  },

  async handle({ confirm }, context) {
    const { db, caller, audit, fail } = context;
    const { environment } = caller;
    const { selfDelete } = await loadSettings(db, environment.id);
    if (!selfDelete.enabled)
      throw fail.feature_disabled({
        feature: 'self-deletion',
        nextStep: 'Turn it on with auth.settings.set (selfDelete.enabled), then call again.',
      });
    const user = await lockOwnUser(db, caller);
    const isConfirmed = user.email === null ? isOwn(confirm, user) : sameMailbox(confirm, user.email);
    if (!isConfirmed) throw fail.confirmation_mismatch({ what: 'the user’s own primary address' });
    for (const each of await lockOrganizationsOf(context, user.id))
      if (await leavesNoOwner(context, each)) throw fail.org_last_owner({ name: each.organization.name });
    const { entry, withdrawn } = await deleteUser(context, environment, user);
    // Without the person, so that the record of the erasure is not itself erased.
    audit({
      subject: { type: 'user', id: user.id },
      summary: 'A user deleted their own account.',
      changes: [{ field: 'deletedAt', from: null, to: entry.erasedAt.toISOString() }, ...withdrawn],
      personId: null,
    });
    return { deleted: true };
  },
});

/** The number as a person types it, or the id of a user who has neither address nor number. */
function isOwn(confirm: string, { phone, id }: { phone: string | null; id: string }): boolean {
  if (phone === null) return confirm === id;
  const typed = parsePhone(confirm);
  return typed.ok && samePhone(typed.number, phone);
}
