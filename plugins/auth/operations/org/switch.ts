import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { dateTime, nullable, object, text, uuid } from '#core/kernel/schema/schema.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { findOwnOrganization, lockRole } from '../../organizations/membership.js';
import { presentOrganization, Organization } from '../../organizations/resources.js';
import { presentSession } from '../../sessions/resources.js';
import { issueAccessToken } from '../../sessions/tokens.js';
import { loadSettings } from '../../settings/load.js';
import { sessions } from '../../tables/session.js';
import { findUser } from '../../users/find.js';

const name = 'auth.org.switch';

export default defineOperation({
  name,
  summary: 'Sets the session’s active organization, or clears it, and issues an access token that reflects the change.',
  description:
    'The new token carries org_id and org_role and expires when the presented one does, or earlier: refresh the session for a longer one. An impersonated session’s token keeps its act claim. An organization with requireMfa requires a session that passed a second factor; any session can clear its organization.',
  keywords: 'change select choose active team workspace company tenant',
  access: 'user',
  // Checked below: a session that lacks the factor required by its organization may still switch to no organization.
  needs: { withoutRequiredFactor: true },
  impact: { retrySafe: true },
  showsSecret: 'stored encrypted',
  input: object({ accessToken, organizationId: nullable(uuid('The organization; null to clear it.')) }),
  output: object({
    accessToken: text('The new access token.'),
    expiresAt: dateTime('When it expires.'),
    organization: nullable(Organization),
  }),
  errors: ['feature_disabled', 'mfa_required'],
  events: ['auth.org.switched'],
  example: {
    input: { accessToken: exampleAccessToken, organizationId: exampleOrganization.id },
    output: {
      accessToken: exampleAccessToken,
      expiresAt: '2026-11-20T09:45:00.000Z',
      organization: exampleOrganization,
    },
  },

  async handle({ organizationId }, context) {
    await requireOrganizations(context);
    const { db, caller, emit, audit, fail } = context;
    const { environment } = caller;
    const { userId, sessionFamilyId: id, secondFactor, impersonator, tokenExpiresAt } = caller.user;
    const [settings, user, before] = await Promise.all([
      loadSettings(db, environment.id),
      findUser(db, environment.id, userId),
      db.findOne(sessions, { id, environmentId: environment.id }),
    ]);
    // Ended or deleted since the token was checked.
    if (!user || before?.endedAt !== null) throw fail.token_invalid();
    // As in every operation: an impersonator cannot have any of the user's factors (sessions/read.ts).
    if (settings.mfa.required && !secondFactor && !impersonator) throw fail.mfa_required({ operation: name });
    const active = organizationId === null ? null : await findOwnOrganization(context, organizationId, name);
    // A concurrent removal of the member waits for this lock, or this call no longer finds the member.
    const orgRole = active && (await lockRole(db, active.organization.id, userId));
    const session = { ...before, organizationId };
    audit({
      subject: { type: 'session', id },
      summary: active ? `Switched to the organization “${active.organization.name}”.` : 'Switched to no organization.',
      changes: changesBetween(before, session, ['organizationId']),
      unchanged: 'the session already had this active organization.',
    });
    if (organizationId !== before.organizationId) {
      await db.update(sessions, { id }, { organizationId });
      emit('auth.org.switched', { subjectId: id, personId: userId, data: { session: presentSession(session) } });
    }
    const issued = await issueAccessToken(context, { session, user, settings, orgRole }, tokenExpiresAt);
    return {
      accessToken: issued.accessToken,
      expiresAt: issued.expiresAt.toISOString(),
      organization: active && presentOrganization(active.organization),
    };
  },
});
