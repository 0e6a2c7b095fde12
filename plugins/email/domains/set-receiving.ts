import type { Context } from '#core/kernel/context.js';
import { settings } from '../deployment/settings.js';
import { domains } from '../tables/domain.js';
import { presentDomain } from './present.js';
import type { DomainValue } from './resources.js';
import type { LoadedDomain } from './store.js';

/**
 * Turns inbound mail of a domain on or off, with its audit record. @returns the domain, and whether anything changed
 */
export async function setReceiving(
  { db, deployment, audit }: Context,
  { row, keys }: LoadedDomain,
  receiving: boolean,
): Promise<{ domain: DomainValue; changed: boolean }> {
  const changed = row.receiving !== receiving;
  const state = receiving ? 'on' : 'off';
  audit({
    subject: { type: 'domain', id: row.id },
    summary: `Turned inbound mail for ${row.domain} ${state}.`,
    changes: changed ? [{ field: 'receiving', from: row.receiving, to: receiving }] : [],
    unchanged: `inbound mail for ${row.domain} was already ${state}.`,
  });
  if (changed) await db.update(domains, { id: row.id }, { receiving });
  return { domain: presentDomain({ ...row, receiving }, keys, deployment.settingsOf(settings)), changed };
}
