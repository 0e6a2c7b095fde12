import { defineOperation } from '#core/kernel/operation.js';
import { sameMailbox } from '#core/kernel/schema/email-address.js';
import { boolean, object, text } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { leavesNoOwner, lockOrganizationsOf } from '../../organizations/deleted-user.js';
import { loadSettings } from '../../settings/load.js';
import { deleteUser } from '../../erasure/delete.js';
import { lockOwnUser } from '../../users/own.js';

export default defineOperation({
  name: 'auth.me.delete',
  summary: 'Delete the signed-in user, where the environment allows it.',
  description:
    'Needs a recent sign-in and the user’s primary address (else number, else id) as confirmation. Sessions end at once; what names the person as a user is erased in the background, and audit and consent records stay. A contact with the user’s address stays too, until your server deletes it. An organization of which the user is the last owner among others must get another owner first; one without other members is deleted. A repeat answers token_invalid: the user is gone.',
  keywords: 'GDPR forget erasure close account remove myself',
  access: 'user',
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  impact: { destructive: true },
  input: object({
    accessToken,
    confirm: text('The user’s own primary address.', { minLength: 1, maxLength: 254 }),
  }),
  output: object({ deleted: boolean('True: the user is deleted.') }),
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
    const isConfirmed = user.email === null ? confirm === (user.phone ?? user.id) : sameMailbox(confirm, user.email);
    if (!isConfirmed) throw fail.confirmation_mismatch({ what: 'the user’s own primary address' });
    for (const each of await lockOrganizationsOf(context, user.id))
      if (await leavesNoOwner(context, each)) throw fail.org_last_owner({ name: each.organization.name });
    const { entry, withdrawn } = await deleteUser(context, environment, user);
    audit({
      subject: { type: 'user', id: user.id },
      summary: 'A user deleted themself.',
      changes: [{ field: 'deletedAt', from: null, to: entry.erasedAt.toISOString() }, ...withdrawn],
    });
    return { deleted: true };
  },
});
