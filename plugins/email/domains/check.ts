import { parse } from 'tldts';
import { DnsFailure, type DnsResolver } from '../dns-resolver.js';
import { isPolicy, matchExchangers, matchTexts, type Match } from './match.js';
import { provesOwner, type ExpectedRecord } from './records.js';
import type { DomainCheckValue } from '../tables/domain.js';

/** A name may have any number of TXT records, of 64 KiB: this many are stored and shown, and this much of each. */
const mostShown = 10;
const charactersShown = 1_000;

/**
 * Looks up the records of a domain in parallel.
 * @returns what was found, with the next step for each record that is not as expected
 * @throws DnsFailure if a required record could not be looked up: nothing is known about it then
 */
export async function checkRecords(
  resolver: DnsResolver,
  records: readonly ExpectedRecord[],
  at: Date,
): Promise<DomainCheckValue> {
  const matches = await Promise.all(records.map((record) => lookUp(resolver, record)));
  const isFound = (_: ExpectedRecord, index: number): boolean => matches[index]?.fix === null;
  const isProven = records.filter(isFound).some(provesOwner);
  return {
    at: at.toISOString(),
    ok: records.every(
      (record, index) => !record.required || isFound(record, index) || (provesOwner(record) && isProven),
    ),
    records: records.map(({ type, name, value }, index) => {
      const { found, fix } = matches[index] ?? { found: [], fix: null };
      const shown = found.slice(0, mostShown).map((text) => text.slice(0, charactersShown));
      return { type, name, expected: value, found: shown, ok: fix === null, fix };
    }),
  };
}

async function lookUp(resolver: DnsResolver, record: ExpectedRecord): Promise<Match> {
  try {
    return await match(resolver, record);
  } catch (error) {
    if (record.required || !(error instanceof DnsFailure)) throw error;
    return {
      found: [],
      fix: `The DNS lookup of ${error.hostname} failed (${error.code}). Call email.domain.verify again.`,
    };
  }
}

async function match(resolver: DnsResolver, record: ExpectedRecord): Promise<Match> {
  const own = await matchName(resolver, record);
  if (own.fix === null || own.found.length > 0) return own;
  const elsewhere = await withDomainTwice(resolver, record);
  return elsewhere === undefined
    ? own
    : {
        ...own,
        fix: `Move the ${record.type} record from ${elsewhere} to ${record.name}: the DNS panel adds the domain to the name itself.`,
      };
}

/**
 * The name at which a record was published because the DNS panel added the domain to its full name; undefined if it is
 * not at such a name.
 */
async function withDomainTwice(resolver: DnsResolver, record: ExpectedRecord): Promise<string | undefined> {
  const domain = record.name.replace(/^(?:[a-z0-9-]{1,63}\._domainkey|bounce|_dmarc)\./, '');
  const zones = new Set([domain, parse(domain, { allowPrivateDomains: true }).domain ?? domain]);
  for (const name of [...zones].map((zone) => `${record.name}.${zone}`)) {
    if (name.length > 253) continue;
    const there = await compare(resolver, record, name).catch((error: unknown) => {
      if (error instanceof DnsFailure) return null;
      throw error;
    });
    if (there?.fix === null) return name;
  }
  return undefined;
}

const compare = async (resolver: DnsResolver, record: ExpectedRecord, name: string): Promise<Match> =>
  record.type === 'MX'
    ? matchExchangers(record, await resolver.mx(name))
    : matchTexts(record, await resolver.txt(name));

async function matchName(resolver: DnsResolver, record: ExpectedRecord): Promise<Match> {
  if (record.type === 'MX') return compare(resolver, record, record.name);
  const own = await compare(resolver, record, record.name);
  if (record.purpose !== 'dmarc' || own.found.some(isPolicy)) return own;
  // RFC 7489 §6.6.3: the policy of the organizational domain applies to its subdomains.
  const organization = parse(record.name.replace(/^_dmarc\./, ''), { allowPrivateDomains: true }).domain;
  if (organization === null) return own;
  const inherited = matchTexts(record, await resolver.txt(`_dmarc.${organization}`));
  return inherited.fix === null ? inherited : own;
}
