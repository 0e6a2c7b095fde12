import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, ifUnchangedSince, nullable, object, optional } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { logoUrl, normalizeName, organizationId, organizationName, slugInput } from '../../organizations/input.js';
import { lockOwnOrganization } from '../../organizations/membership.js';
import { presentOrganization, Organization } from '../../organizations/resources.js';
import { assertManages } from '../../organizations/rules.js';
import { searchKey } from '../../search/key.js';
import { organizations, type OrganizationRow } from '../../tables/organization.js';
import { mergeMetadata, metadataInput } from '../../users/metadata.js';

export default defineOperation({
  name: 'auth.org.update',
  summary:
    'Updates an organization’s name, slug, logo, metadata or requirement for a second factor. For owners and admins.',
  description:
    'Omitted fields keep their values. Metadata merges key by key; null removes a key. With requireMfa, a session without a second factor can no longer make the organization active or manage it.',
  keywords: 'edit team workspace company rename two-factor',
  access: 'user',
  needs: { notImpersonated: true },
  impact: { retrySafe: true },
  input: object(
    {
      accessToken,
      organizationId,
      name: optional(organizationName),
      slug: optional(slugInput),
      logoUrl: optional(nullable(logoUrl)),
      metadata: optional(metadataInput('Metadata that its owners and admins maintain.')),
      ifUnchangedSince,
      requireMfa: optional(boolean('Whether members need a session that passed a second factor.')),
    },
    { minProperties: 3 },
  ),
  output: object({ organization: Organization }),
  errors: ['feature_disabled', 'org_role_required', 'org_slug_taken'],
  events: ['auth.org.updated'],
  example: {
    input: { accessToken: exampleAccessToken, organizationId: exampleOrganization.id, name: 'Difference Engines' },
    output: { organization: { ...exampleOrganization, name: 'Difference Engines' } },
  },

  async handle({ organizationId: id, ...given }, context) {
    await requireOrganizations(context);
    const { db, clock, emit, audit, fail } = context;
    const { organization: before, role } = await lockOwnOrganization(context, id, 'auth.org.update');
    assertManages(role, fail);
    await requireUnchanged(context, given.ifUnchangedSince, before, { type: 'organization', id });
    const name = given.name === undefined || given.name === before.name ? before.name : normalizeName(given.name);
    const changed: OrganizationRow = {
      ...before,
      name,
      nameKey: searchKey(name),
      slug: given.slug ?? before.slug,
      logoUrl: given.logoUrl === undefined ? before.logoUrl : given.logoUrl,
      metadata: mergeMetadata('metadata', before.metadata, given.metadata),
      requireMfa: given.requireMfa ?? before.requireMfa,
    };
    const fields = ['name', 'slug', 'logoUrl', 'metadata', 'requireMfa'] as const;
    const changes = changesBetween(presentOrganization(before), presentOrganization(changed), fields);
    audit({
      subject: { type: 'organization', id },
      summary: `Changed the organization “${name}”.`,
      changes,
      unchanged: 'the organization already had these values.',
    });
    if (changes.length === 0) return { organization: presentOrganization(before) };
    const after = { ...changed, updatedAt: updateTime(before, clock.now()) };
    const { nameKey, slug, logoUrl: logo, metadata, requireMfa, updatedAt } = after;
    try {
      await db.update(organizations, { id }, { name, nameKey, slug, logoUrl: logo, metadata, requireMfa, updatedAt });
    } catch (error) {
      if (isDuplicate(error, 'slug')) throw fail.org_slug_taken({ slug });
      throw error;
    }
    const organization = presentOrganization(after);
    emit('auth.org.updated', { subjectId: id, data: { organization } });
    return { organization };
  },
});
