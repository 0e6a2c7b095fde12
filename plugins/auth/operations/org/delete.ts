import { defineOperation } from '#core/kernel/operation.js';
import { object, text } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { organizationId } from '../../organizations/input.js';
import { lockOwnOrganization } from '../../organizations/membership.js';
import { deleteOrganization } from '../../organizations/delete-organization.js';
import { presentOrganization, Organization } from '../../organizations/resources.js';
import { assertOwner } from '../../organizations/rules.js';

export default defineOperation({
  name: 'auth.org.delete',
  summary: 'Deletes the organization. Refused unless its exact name is passed in confirm.',
  description:
    'For owners with a recent sign-in. Members lose access immediately and open invitations end. The members remain users.',
  keywords: 'remove team workspace company close',
  access: 'user',
  needs: { recentSignIn: true, secondFactorIfActive: true, notImpersonated: true },
  impact: { destructive: true },
  input: object({
    accessToken,
    organizationId,
    confirm: text('The organization’s name, exactly.', { minLength: 1, maxLength: 240 }),
  }),
  output: object({ organization: Organization }),
  errors: ['feature_disabled', 'confirmation_mismatch', 'org_role_required'],
  events: ['auth.org.deleted'],
  example: {
    input: {
      accessToken: exampleAccessToken,
      organizationId: exampleOrganization.id,
      confirm: exampleOrganization.name,
    },
    output: { organization: exampleOrganization },
  },

  async handle({ organizationId: id, confirm }, context) {
    await requireOrganizations(context);
    const { caller, clock, audit, fail } = context;
    const { organization, role } = await lockOwnOrganization(context, id, 'auth.org.delete');
    assertOwner(role, fail);
    if (confirm.normalize('NFC') !== organization.name)
      throw fail.confirmation_mismatch({ what: 'the organization’s name' });
    const last = organization.memberCount <= 1 ? { userId: caller.user.userId, isErased: false } : undefined;
    await deleteOrganization(context, caller.environment, organization, last);
    audit({
      subject: { type: 'organization', id },
      summary: `Deleted the organization “${organization.name}”.`,
      changes: [{ field: 'deletedAt', from: null, to: clock.now().toISOString() }],
    });
    return { organization: presentOrganization(organization) };
  },
});
