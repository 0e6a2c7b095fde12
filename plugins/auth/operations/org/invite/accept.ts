import { lockOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object } from '#core/kernel/schema/schema.js';
import { RetryTransaction } from '#core/runtime/database/errors.js';
import { idBytes } from '#core/runtime/id.js';
import { accessToken, exampleAccessToken } from '../../../access-token.js';
import { exampleOrganization } from '../../../examples.js';
import { requireOrganizations } from '../../../organizations/enabled.js';
import {
  assertOpenInvite,
  exampleInvitationToken,
  findInvite,
  invitationToken,
} from '../../../organizations/invitation.js';
import { addMember } from '../../../organizations/members.js';
import { findMember, orgRole } from '../../../organizations/membership.js';
import { presentMember, presentOrganization, Organization } from '../../../organizations/resources.js';
import { orgInvites } from '../../../tables/org-invite.js';
import { organizations } from '../../../tables/organization.js';
import { findIdentity, lockOwnUser } from '../../../users/find.js';

export default defineOperation({
  name: 'auth.org.invite.accept',
  summary: 'Adds the caller to the organization, if the invited address is one of the caller’s verified addresses.',
  description:
    'If the person who accepted repeats the call, it returns the same result; from anyone else, the call is refused with invite_accepted. An existing member keeps their role.',
  keywords: 'join team workspace company invitation',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { retrySafe: true },
  input: object({ accessToken, token: invitationToken }),
  output: object({ organization: Organization, role: orgRole }),
  errors: ['feature_disabled', 'invite_wrong_account', 'invite_expired', 'invite_revoked', 'invite_accepted'],
  events: ['auth.org.joined'],
  example: {
    input: { accessToken: exampleAccessToken, token: exampleInvitationToken },
    output: { organization: exampleOrganization, role: 'member' },
  },

  async handle({ token }, context) {
    await requireOrganizations(context);
    const { db, caller, clock, emit, audit, fail } = context;
    const environmentId = caller.environment.id;
    // The user is locked before the organization, as everywhere: a concurrent deletion of the user finds the new
    // membership.
    const user = await lockOwnUser(db, caller);
    const found = await findInvite(context, environmentId, token);
    if (!found) throw fail.not_found({ ...orgInvites.notFound });
    const organization = await lockOwned(db, organizations, caller, found.organizationId);
    const invite = await findInvite(context, environmentId, token);
    if (!invite) throw new RetryTransaction('The invitation changed while waiting for the organization’s lock.');
    const member = await findMember(db, organization.id, user.id);
    const entry = {
      subject: { type: 'organization', id: organization.id },
      summary: `Joined the organization “${organization.name}” as ${member?.role ?? invite.role}.`,
      unchanged: 'the user was already a member.',
    };
    if (invite.acceptedBy === user.id && member) {
      audit({ ...entry, changes: [] });
      return { organization: presentOrganization(organization), role: member.role };
    }
    assertOpenInvite(invite, clock.now(), fail);
    const identity = await findIdentity(db, environmentId, { kind: 'email', key: invite.emailKey });
    if (identity?.userId !== user.id || identity.verifiedAt === null) throw fail.invite_wrong_account();
    await db.update(
      orgInvites,
      { id: invite.id },
      { acceptedAt: clock.now(), acceptedBy: user.id, openKey: null, tokenSealed: null },
    );
    if (member) {
      audit({ ...entry, changes: [{ field: 'acceptedAt', from: null, to: clock.now().toISOString() }] });
      return { organization: presentOrganization(organization), role: member.role };
    }
    const joined = await addMember(context, organization, user.id, invite.role);
    await db.defer({
      sql: 'UPDATE auth_organization SET member_count = member_count + 1 WHERE id = ?',
      parameters: [idBytes(organization.id)],
    });
    audit({ ...entry, changes: [{ field: 'role', from: null, to: joined.role }] });
    const data = { organizationId: organization.id, member: presentMember(joined, user) };
    emit('auth.org.joined', { subjectId: organization.id, personId: user.id, data });
    const { memberCount } = organization;
    return { organization: presentOrganization({ ...organization, memberCount: memberCount + 1 }), role: joined.role };
  },
});
