import { readFileSync } from 'node:fs';
import { domainOf, parseAddress } from '#core/kernel/schema/email-address.js';
import { isRecord } from '#core/runtime/json.js';

/** The most recipients per second to whom mail is submitted. */
export interface Rates {
  /** In total; undefined without a limit. */
  readonly rate: number | undefined;
  /** By the domain of the recipient's address. */
  readonly domains: ReadonlyMap<string, number>;
  /** For each domain that `domains` does not name; undefined without a limit. */
  readonly otherDomains: number | undefined;
}

/**
 * Reads SVC_MAIL_RATES_FILE.
 * @throws Error whose message completes “SVC_MAIL_RATES_FILE …”
 */
export function readRates(path: string): Rates {
  const { rate, domains = {}, ...others } = parse(read(path));
  const unknown = Object.keys(others)[0];
  if (unknown !== undefined) throw new Error(`names a file with “${unknown}”, but it may only have rate and domains`);
  if (!isRecord(domains)) throw new Error('names a file whose “domains” is not an object');
  const byDomain = Object.entries(domains).map(([name, value]) => [domainNamed(name), perSecond(name, value)] as const);
  const known = new Map(byDomain);
  const otherDomains = known.get('*');
  known.delete('*');
  return { rate: rate === undefined ? undefined : perSecond('rate', rate), domains: known, otherDomains };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`names a file that cannot be read (${code})`);
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Answered below.
  }
  throw new Error('must name a file with a JSON object such as {"rate": 100, "domains": {"gmail.com": 20}}');
}

function domainNamed(name: string): string {
  if (name === '*') return name;
  const parsed = parseAddress(`postmaster@${name}`);
  if (!parsed.ok) throw new Error(`names a file with “${name}” in “domains”, which is not a domain`);
  return domainOf(parsed.address);
}

function perSecond(name: string, value: unknown): number {
  if (typeof value === 'number' && value > 0 && value <= 100_000) return value;
  throw new Error(`names a file in which “${name}” is not a number above 0 and up to 100000`);
}
