import { newFields } from '#core/kernel/audit/changes.js';
import { perUser } from '#core/kernel/limits/named-limit.js';
import { defineOperation } from '#core/kernel/operation.js';
import { object, optional } from '#core/kernel/schema/schema.js';
import { isDuplicate } from '#core/runtime/database/errors.js';
import { newId } from '#core/runtime/id.js';
import { accessToken, exampleAccessToken } from '../../access-token.js';
import { exampleOrganization } from '../../examples.js';
import { requireOrganizations } from '../../organizations/enabled.js';
import { normalizeName, organizationName, distinctSlug, slugInput, slugOf } from '../../organizations/input.js';
import { addMember } from '../../organizations/members.js';
import { presentOrganization, Organization } from '../../organizations/resources.js';
import { searchKey } from '../../search/key.js';
import { loadSettings } from '../../settings/load.js';
import { ownedBy } from '../../organizations/rules.js';
import { organizations, type OrganizationRow } from '../../tables/organization.js';
import { mergeMetadata, metadataInput } from '../../users/metadata.js';
import { lockOwnUser } from '../../users/find.js';

/** How many times a slug derived from the name gets another ending before the call gives up. */
const slugTries = 5;

export default defineOperation({
  name: 'auth.org.create',
  summary: 'Creates an organization with the caller as its owner.',
  description:
    'If no slug is passed, it is derived from the name. A user who owns organizations.maxPerUser of them (a setting) cannot create another.',
  keywords: 'new team workspace company tenant',
  access: 'user',
  needs: { notImpersonated: true },
  limits: [
    perUser({
      name: 'auth.org.create',
      max: 10,
      windowSeconds: 3_600,
      description: '10 organizations per hour per user',
    }),
  ],
  input: object({
    accessToken,
    name: organizationName,
    slug: optional(slugInput),
    metadata: optional(metadataInput('Metadata that its owners and admins maintain.')),
  }),
  output: object({ organization: Organization }),
  errors: ['org_slug_taken', 'limit_reached', 'feature_disabled'],
  events: ['auth.org.created'],
  example: {
    input: { accessToken: exampleAccessToken, name: exampleOrganization.name },
    output: { organization: { ...exampleOrganization, memberCount: 1 } },
  },

  async handle({ name: given, slug, metadata }, context) {
    await requireOrganizations(context);
    const { db, caller, clock, emit, audit, fail } = context;
    const { environment } = caller;
    const { organizations: rules } = await loadSettings(db, environment.id);
    if (!rules.enabled)
      throw fail.feature_disabled({
        feature: 'organizations',
        nextStep: 'Turn it on with auth.settings.set (organizations.enabled), then call again.',
      });
    // The lock makes calls of one user wait for each other, so that none exceeds the limit.
    const user = await lockOwnUser(db, caller);
    if ((await ownedBy(db, user.id)) >= rules.maxPerUser)
      throw fail.limit_reached({
        limit: rules.maxPerUser,
        things: 'organizations that you own',
        nextStep: 'Delete one with auth.org.delete, or raise organizations.maxPerUser with auth.settings.set.',
      });
    const name = normalizeName(given);
    const now = clock.now();
    const row: OrganizationRow = {
      id: newId(),
      environmentId: environment.id,
      name,
      nameKey: searchKey(name),
      slug: slug ?? slugOf(name),
      logoUrl: null,
      metadata: mergeMetadata('metadata', '{}', metadata),
      requireMfa: false,
      memberCount: 1,
      createdAt: now,
      updatedAt: now,
    };
    for (let left = slug === undefined ? slugTries : 1; ; left -= 1) {
      try {
        await db.insert(organizations, row);
        break;
      } catch (error) {
        if (!isDuplicate(error, 'slug')) throw error;
        if (left <= 1) throw fail.org_slug_taken({ slug: row.slug });
        row.slug = distinctSlug(slugOf(name));
      }
    }
    await addMember(context, row, user.id, 'owner');
    const organization = presentOrganization(row);
    audit({
      subject: { type: 'organization', id: row.id },
      summary: `Created the organization “${name}”.`,
      changes: newFields(organization, ['name', 'slug', 'metadata']),
    });
    emit('auth.org.created', { subjectId: row.id, data: { organization } });
    return { organization };
  },
});
