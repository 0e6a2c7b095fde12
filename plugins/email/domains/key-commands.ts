import { lockOne } from '#core/runtime/database/lock-one.js';
import type { FullContext } from '#core/kernel/context.js';
import { findEnvironment } from '#core/kernel/environment/environment.js';
import type { DomainKeyCommands } from '../ports.js';
import { idBytes } from '#core/runtime/id.js';
import { domainKeys, type DomainKeyRow, keyName, keysOf } from '../tables/domain-key.js';
import { domains, type DomainRow } from '../tables/domain.js';
import { keyRow, makeKeys } from './keys.js';
import { newKeysMail } from './mail-texts.js';
import { mailOwners } from './owners-mail.js';
import { keyRecord } from './records.js';
import { selectorNumber, signingKeys, unpublishedKey } from './rotation.js';

/** Provides the port `domainKeyCommands`, which `npm run domain-keys` calls. */
export const makeDomainKeyCommands = (context: FullContext): DomainKeyCommands => ({
  async list(domain) {
    const rows = await context.db.rows<object>(
      `SELECT ${domains.columnList()} FROM email_domain WHERE ${domain === undefined ? 'proven_domain IS NOT NULL' : 'proven_domain = ?'} ORDER BY proven_domain`,
      domain === undefined ? [] : [Buffer.from(domain)],
    );
    const found = rows.map(domains.decode);
    const keys = await keysOf(
      context.db,
      found.map(({ id }) => id),
    );
    return found.flatMap((row) =>
      linesOf(
        row,
        keys.filter(({ domainId }) => domainId === row.id),
      ),
    );
  },

  async rotate(domain) {
    const { db, vault, clock, audit, actIn, wake } = context;
    const row = await lockProven(context, domain);
    const environment = row && (await findEnvironment(db, row.environmentId));
    if (!environment)
      throw new Error(`No environment has verified ${domain}. npm run domain-keys -- list lists the domains in use.`);
    actIn(environment);
    const keys = await keysOf(db, [row.id]);
    const waiting = unpublishedKey(keys);
    if (waiting)
      throw new Error(
        `The newest key of ${domain} is not published. Publish TXT ${keyName(waiting.selector, domain)} first. Nothing was changed.`,
      );
    const highest = Math.max(0, ...keys.map(({ selector }) => selectorNumber(selector)));
    const made = (await makeKeys(highest + 1)).map((key) => keyRow(vault, row.id, key));
    await db.insert(domainKeys, made);
    await db.run('UPDATE email_domain_queue SET due_at = LEAST(due_at, ?) WHERE id = ? AND leased = 0', [
      clock.now(),
      idBytes(row.id),
    ]);
    wake('email.domains');
    const records = made.map((key) => ({ type: 'TXT', name: keyName(key.selector, domain) }));
    audit({
      operation: 'email.domain.add',
      subject: { type: 'domain', id: row.id },
      summary: `The operator made new DKIM keys for ${domain}: publish ${records.map(({ name }) => name).join(' and ')}.`,
      changes: made.map(({ selector }) => ({ field: 'records', from: null, to: keyName(selector, domain) })),
    });
    await mailOwners(context, environment, newKeysMail, { domain, records });
    return [
      `Publish these records for ${domain}. Mail is signed with the current keys until the new records resolve.`,
      ...made.map((key) => `TXT ${keyName(key.selector, domain)}  ${keyRecord(key)}`),
    ].join('\n');
  },
});

function linesOf({ domain }: DomainRow, keys: readonly DomainKeyRow[]): string[] {
  const signing = signingKeys(keys);
  return keys.map((key) => {
    const state = signing.includes(key)
      ? 'signs'
      : key.replacedAt
        ? `replaced ${key.replacedAt.toISOString().slice(0, 10)}`
        : 'not published';
    return [domain, key.selector, key.algorithm, state].join('  ');
  });
}

const lockProven = ({ db }: FullContext, domain: string): Promise<DomainRow | null> =>
  lockOne(db, domains, { provenDomain: domain.toLowerCase() });
