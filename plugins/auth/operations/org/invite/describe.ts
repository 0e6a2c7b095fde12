import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, object, text } from '#core/kernel/schema/schema.js';
import { exampleOrganization, exampleOrgInvite } from '../../../examples.js';
import { maskEmail } from '../../../identities/normalize.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import {
  assertOpenInvite,
  exampleInvitationToken,
  findInvite,
  invitationToken,
} from '../../../organizations/invitation.js';
import { orgRole } from '../../../organizations/membership.js';
import { orgInvites } from '../../../tables/org-invite.js';
import { organizations } from '../../../tables/organization.js';

export default defineOperation({
  name: 'auth.org.invite.describe',
  summary: 'Returns the details of the organization invitation that a token belongs to, without using the token.',
  keywords: 'invitation landing page team',
  access: 'publishable',
  impact: { read: true, retrySafe: true },
  input: object({ token: invitationToken }),
  output: object({
    organizationName: text('The organization.'),
    email: text('The invited address, masked.'),
    role: orgRole,
    expiresAt: dateTime('When the invitation expires.'),
  }),
  errors: ['feature_disabled', 'invite_expired', 'invite_revoked', 'invite_accepted'],
  example: {
    input: { token: exampleInvitationToken },
    output: {
      organizationName: exampleOrganization.name,
      email: 'c•••@example.com',
      role: 'member',
      expiresAt: exampleOrgInvite.expiresAt,
    },
  },

  async handle({ token }, context) {
    await requireOrganizations(context);
    const { db, caller, clock, fail } = context;
    const invite = await findInvite(context, caller.environment.id, token);
    const organization = invite && (await db.findOne(organizations, { id: invite.organizationId }));
    if (!organization) throw fail.not_found({ ...orgInvites.notFound });
    assertOpenInvite(invite, clock.now(), fail);
    const { role, expiresAt, email } = invite;
    return {
      organizationName: organization.name,
      email: maskEmail(email),
      role,
      expiresAt: expiresAt.toISOString(),
    };
  },
});
