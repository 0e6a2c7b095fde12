import { setTimeout as pause } from 'node:timers/promises';
import { dmarc, spf } from 'mailauth';
import type { Turns } from '#core/runtime/turn-tree.js';
import type { DnsResolver } from '../dns-resolver.js';
import type { Verdict } from '../tables/inbound.js';
import { verifyInThread } from './parse/mail-pool.js';
import type { KeyRecords, ParsedMail, VerifiedSignatures } from './parse/parsed.js';

/** The sender of a message, as far as it is known. */
export interface MailClient {
  ip: string | null;
  /** Its name in HELO or EHLO. */
  helo: string | null;
}

/** The data about a message. */
export interface ReceivedFacts {
  /** turnsOf the environment whose message it is. */
  owner: Turns;
  raw: Buffer;
  mail: ParsedMail;
  /** Empty for the null sender. */
  envelopeFrom: string;
  client: MailClient;
}

export interface Verdicts {
  spf: Verdict;
  dkim: Verdict;
  dmarc: Verdict;
}

/** The most milliseconds for each of SPF, the keys and the DMARC policy. */
const deadlineMs = 8_000;
/** Lookups for one message: SPF alone may need twenty (RFC 7208 4.6.4). */
const mostLookups = 40;

/**
 * Checks whether a message is from the sender that it names: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489). If DNS
 * does not answer in time, the result is `none`.
 */
export async function authenticate(
  lookup: Pick<DnsResolver, 'resolve'>,
  { owner, raw, mail, envelopeFrom, client }: ReceivedFacts,
): Promise<Verdicts> {
  const resolver = limited(lookup);
  const [spfResult, keys] = await Promise.all([
    client.ip === null ? null : within(spf({ resolver, sender: envelopeFrom, ip: client.ip, helo: client.helo ?? '' })),
    keysOf(resolver, mail.signingKeys),
  ]);
  const signatures = mail.isSigned ? await verifyInThread(owner, raw, keys) : unsigned;
  const said = spfResult?.status.result ?? 'none';
  const policyFor = async (spfDomains: readonly string[], dkimDomains: readonly SigningDomain[]): Promise<Policy> =>
    within(dmarc({ resolver, headerFrom: mail.authors, spfDomains: [...spfDomains], dkimDomains: [...dkimDomains] }));
  const policy = await policyFor(said === 'pass' && spfResult ? [spfResult.domain] : [], signatures?.valid ?? []);
  // Without an answer, a domain could have been proven. Only the author's domain matters: otherwise, senders could
  // avoid `fail` with their own name server, which does not answer.
  const unansweredSpf =
    spfResult === null || said === 'temperror' ? domainsForSpf(envelopeFrom, client, mail.authors) : [];
  const unansweredDkim = (signatures?.unread ?? mail.signingKeys.map(domainOfKey)).map((domain) => ({ domain }));
  const isUnsure = async (): Promise<boolean> =>
    unansweredSpf.length + unansweredDkim.length > 0 &&
    resultOf(await policyFor(unansweredSpf, unansweredDkim)) !== 'fail';
  return {
    spf: said === 'pass' ? 'pass' : said === 'fail' || said === 'softfail' ? 'fail' : 'none',
    dkim: mail.isSigned ? dkimVerdict(signatures) : 'none',
    dmarc: await dmarcVerdict(policy, isUnsure),
  };
}

const unsigned: VerifiedSignatures = { decided: true, valid: [], unread: [] };

type SigningDomain = VerifiedSignatures['valid'][number] | { domain: string };

/** The domain that SPF checks (RFC 7208 2.4); that of the author if it is not known. */
function domainsForSpf(envelopeFrom: string, { helo }: MailClient, authors: readonly string[]): string[] {
  const checked = envelopeFrom === '' ? helo : envelopeFrom;
  return (checked === null ? authors : [checked]).map((each) => each.slice(each.lastIndexOf('@') + 1));
}

/** @param name as in `signingKeys`: s1._domainkey.example.com */
const domainOfKey = (name: string): string => name.slice(name.lastIndexOf('._domainkey.') + '._domainkey.'.length);

function dkimVerdict(signatures: VerifiedSignatures | null): Verdict {
  if (!signatures?.decided) return 'none';
  return signatures.valid.length > 0 ? 'pass' : 'fail';
}

/**
 * The answer of DMARC: false for a message whose From does not name exactly one address, which proves no sender; null
 * without an answer in time.
 */
type Policy = Awaited<ReturnType<typeof dmarc>> | null;

const resultOf = (policy: Policy): string | undefined => (policy ? policy.status.result : undefined);

/** @param isUnsure whether the message could have passed if DNS had answered */
async function dmarcVerdict(policy: Policy, isUnsure: () => Promise<boolean>): Promise<Verdict> {
  if (policy === false) return 'fail';
  const result = resultOf(policy);
  if (result === 'pass') return 'pass';
  return result === 'fail' && !(await isUnsure()) ? 'fail' : 'none';
}

type Resolver = (hostname: string, type: string) => Promise<string[][] | string[]>;

function limited({ resolve }: Pick<DnsResolver, 'resolve'>): Resolver {
  let asked = 0;
  return async (hostname, type) => {
    if ((asked += 1) > mostLookups) throw Object.assign(new Error('Too many lookups.'), { code: 'ETIMEOUT' });
    const found = await resolve(hostname, type);
    return isAnswers(found) ? found : [];
  };
}

const isAnswers = (value: unknown): value is string[][] | string[] => Array.isArray(value);

/** The keys of the signatures, looked up in parallel. */
async function keysOf(resolver: Resolver, names: readonly string[]): Promise<KeyRecords> {
  const found = names.map(async (name): Promise<[string, KeyRecords[string]]> => {
    const answer = await within(
      resolver(name, 'TXT').then(
        (strings) => ({ strings: strings.map((each) => (typeof each === 'string' ? [each] : each)) }),
        (error: unknown) => ({ code: error instanceof Error && 'code' in error ? String(error.code) : 'ETIMEOUT' }),
      ),
    );
    return [name, answer ?? { code: 'ETIMEOUT' }];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** @returns null if it fails or takes too long */
async function within<T>(answer: Promise<T>): Promise<T | null> {
  const settled = new AbortController();
  const late = pause(deadlineMs, null, { signal: settled.signal }).catch(() => null);
  return Promise.race([answer.catch(() => null), late]).finally(() => settled.abort());
}
