import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page, paged } from '#core/kernel/schema/paging.js';
import { list, object, optional } from '#core/kernel/schema/schema.js';
import { idBytes } from '#core/runtime/id.js';
import { exampleVerified } from '../../domains/examples.js';
import { presentDomain } from '../../domains/present.js';
import { Domain, domainStatus } from '../../domains/resources.js';
import { keysOf } from '../../tables/domain-key.js';
import { settings } from '../../deployment/settings.js';
import { domains } from '../../tables/domain.js';

export default defineOperation({
  name: 'email.domain.list',
  summary: 'Lists the environment’s sending domains.',
  description:
    'Newest first. Test environments have no domains: they send from the verified domains of the live environment.',
  keywords: 'dkim spf dmarc dns',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  namedItems: { id: 'domainId', names: ['domain'] },
  input: object({ ...page, status: optional(domainStatus) }),
  output: object({ domains: list(Domain), nextBefore }),
  example: { input: {}, output: { domains: [exampleVerified], nextBefore: null } },

  async handle({ before, limit, status }, { db, caller, deployment }) {
    const query = db
      .select(domains, 'domain')
      .where('domain.environment_id = :environment', { environment: idBytes(caller.environment.id) })
      .andWhere('domain.removed_at IS NULL');
    if (status !== undefined) query.andWhere('domain.status = :status', { status: Buffer.from(status) });
    const { rows, next } = await paged(query, 'domain', 'environment', { before, limit });
    const keys = await keysOf(
      db,
      rows.map(({ id }) => id),
    );
    const hosts = deployment.settingsOf(settings);
    return {
      domains: rows.map((row) =>
        presentDomain(
          row,
          keys.filter(({ domainId }) => domainId === row.id),
          hosts,
        ),
      ),
      nextBefore: next,
    };
  },
});
