import { lockOne } from '#core/runtime/database/lock-one.js';
import { closedEnvironments, findEnvironment } from '#core/kernel/environment/environment.js';
import { environmentTurns } from '#core/kernel/environment/turns.js';
import type { Services } from '#core/kernel/services.js';
import { shift, hourMs, dayMs } from '#core/runtime/clock.js';
import {
  completeMany,
  lockLeases,
  postponeMany,
  postponeWork,
  completeWork,
  type Claim,
  type WorkQueue,
} from '#core/runtime/work/queue.js';
import { createDnsResolver, DnsFailure, type DnsResolver } from '../dns-resolver.js';
import { settings } from '../deployment/settings.js';
import { domains, type DomainCheckValue } from '../tables/domain.js';
import { applyCheck } from './apply-check.js';
import { checkRecords } from './check.js';
import { expectedRecords } from './records.js';
import { unpublishedKey } from './rotation.js';
import { keysOf } from '../tables/domain-key.js';

/** A pending domain is looked up each hour, so that it is verified, or fails, without a call. */
const waits = { pending: hourMs, verified: dayMs, failed: dayMs } as const;

/** When the first check of a new domain is due. */
export const firstCheckMs = hourMs;

export const domainQueue = { name: 'email.domains', table: 'email_domain_queue' } as const;

/** The checks of sending domains: one row for each domain, which is due again after each check. */
export function domainChecks(services: Services): WorkQueue {
  const { database, clock, log, deployment } = services;
  const hosts = deployment.settingsOf(settings);
  const resolver = createDnsResolver(hosts.dnsServers);
  return {
    ...domainQueue,
    concurrency: 8,
    excludedPartitions: [{ partitions: closedEnvironments }],
    longestWaitMs: waits.verified + hourMs,
    turnsOf: environmentTurns(database),
    perPartition: () => 4,
    async perform(claim) {
      const row = await database.findOne(domains, { id: claim.id });
      if (!row || row.removedAt) {
        await completeWork(database, domainQueue, claim);
        return;
      }
      const records = expectedRecords(row, await keysOf(database, [row.id]), hosts);
      const check = await lookUp(resolver, records, clock.now());
      if (check) {
        await record(services, claim, check);
        return;
      }
      log.warn({ domainId: row.id }, 'a DNS lookup failed; the domain is checked again in an hour');
      await postponeWork(database, domainQueue, claim, shift(clock.now(), hourMs));
    },
  };
}

/** @returns undefined if DNS could not be queried: nothing is known then, and nothing changes */
async function lookUp(
  resolver: DnsResolver,
  records: ReturnType<typeof expectedRecords>,
  at: Date,
): Promise<DomainCheckValue | undefined> {
  try {
    return await checkRecords(resolver, records, at);
  } catch (error) {
    if (!(error instanceof DnsFailure)) throw error;
    return undefined;
  }
}

async function record({ transaction }: Services, claim: Claim, check: DomainCheckValue): Promise<void> {
  await transaction('Domain check', async (context) => {
    const { db, clock, actIn } = context;
    // The domain before the lease, in the order in which email.domain.remove locks them.
    const row = await lockOne(db, domains, { id: claim.id });
    if (!(await lockLeases(db, domainQueue, [claim])).has(claim)) return;
    const environment = row && (await findEnvironment(db, row.environmentId));
    if (!environment || row.removedAt) {
      await completeMany(db, domainQueue, [claim]);
      return;
    }
    actIn(environment);
    const { loaded } = await applyCheck(context, environment, { row, keys: await keysOf(db, [row.id]) }, check);
    // The record of a new key is looked up each hour.
    const wait = loaded.row.status === 'verified' && unpublishedKey(loaded.keys) ? hourMs : waits[loaded.row.status];
    await postponeMany(db, domainQueue, [{ claim, dueAt: shift(clock.now(), wait) }]);
  });
}
