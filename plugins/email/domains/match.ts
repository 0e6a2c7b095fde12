import type { Exchanger } from '../dns-resolver.js';
import { isKey, keyProblem } from './dkim-record.js';
import type { ExpectedRecord } from './records.js';
import { isSpf, spfProblem } from './spf.js';

/** The result of a record's look-up: its values in readable form, and what to change; null if nothing. */
export interface Match {
  readonly found: readonly string[];
  readonly fix: string | null;
}

/** Compares mail exchangers. The expected one must be among the most preferred: otherwise others get the mail first. */
export function matchExchangers(record: ExpectedRecord, exchangers: readonly Exchanger[]): Match {
  const { name, value } = record;
  const found = exchangers.map(({ host, priority }) => `${priority} ${host}`);
  const host = value.slice(value.indexOf(' ') + 1);
  const best = exchangers[0]?.priority;
  const there = exchangers.find((each) => each.host === host);
  if (!there && exchangers.length === 0) return { found, fix: publish(record) };
  if (!there) return { found, fix: replaceExchangers(record, exchangers.length) };
  if (there.priority === best) return { found, fix: null };
  return {
    found,
    fix: `Give ${host} the lowest preference number of the MX records at ${name}: lower numbers are preferred.`,
  };
}

/** Compares the TXT records of a name. */
export function matchTexts(record: ExpectedRecord, texts: readonly string[]): Match {
  if (record.purpose === 'dkim') return matchKey(record, texts);
  return record.purpose === 'dmarc' ? matchDmarc(record, texts) : matchSpf(record, texts);
}

/**
 * The value itself is next to the fix: as `expected` in a check, as `value` in the list of records. The value of an MX
 * record is two fields in most panels.
 */
const publish = ({ type, name, value }: ExpectedRecord): string =>
  type === 'MX'
    ? `Publish an MX record at ${name} with ${exchangerOf(value)}.`
    : `Publish a TXT record at ${name} with this value.`;

function replaceExchangers({ name, value, purpose }: ExpectedRecord, count: number): string {
  const fix = `Replace the MX ${count === 1 ? 'record' : 'records'} at ${name} with ${exchangerOf(value)}.`;
  return purpose === 'receiving'
    ? `${fix} If the domain has other mailboxes, keep its records and receive mail at a separate subdomain instead.`
    : fix;
}

/** The value of an MX record, as `priority 10 and host mx.example.com`. */
function exchangerOf(value: string): string {
  const [priority = '', host = ''] = value.split(' ');
  return `priority ${priority} and host ${host}`;
}

/** The result of looking up the record of a DKIM key that was replaced by a newer one. */
export const matchReplacedKey = ({ name, found, fix }: Match & { readonly name: string }): Match => ({
  found,
  fix:
    fix === null || found.some(isKey)
      ? fix
      : `A newer key has replaced ${name}. Nothing to do, unless mail of the last few days must still verify.`,
});

/** Names the record in a problem that was found in it. */
const named = (problem: string, what: string, { name }: ExpectedRecord): string =>
  problem.replaceAll('{record}', `the ${what} at ${name}`);

const hostName = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\.?$/i;

/**
 * What to do if no TXT record is of the expected kind: the usual mistake if there is one.
 * @param isKind whether a text is of the kind
 */
function withoutRecord(record: ExpectedRecord, texts: readonly string[], isKind: (text: string) => boolean): string {
  const { name } = record;
  if (texts.some((text) => /["\\]/.test(text) && isKind(cleaned(text))))
    return `Replace the TXT record at ${name} with this value, without quotation marks and backslashes: the DNS panel adds them itself.`;
  if (texts.some((text) => text !== text.trim() && isKind(text.trim())))
    return `Replace the TXT record at ${name} with this value, without spaces around it.`;
  const host = texts.find((text) => hostName.test(text));
  if (host !== undefined)
    return `Replace the TXT record at ${name} with this value: it contains only the host name ${host.slice(0, 253)}. A host name belongs in a CNAME record.`;
  return publish(record);
}

/** A text as it was meant: many panels add the quotation marks and escapes of zone files themselves. */
const cleaned = (text: string): string => text.replaceAll(/["\\]/g, '').trim();

function matchKey(record: ExpectedRecord, texts: readonly string[]): Match {
  const problemOf = (text: string): string | null => keyProblem(text, record.value);
  const written = texts.filter(
    (text) => /["\\]/.test(text) && problemOf(text) !== null && problemOf(cleaned(text)) === null,
  );
  const keys = texts.filter((text) => isKey(text) && !written.includes(text));
  if (keys.length === 0) return { found: texts, fix: withoutRecord(record, texts, isKey) };
  const problems = keys.map(problemOf).filter((problem) => problem !== null);
  const [first] = problems;
  if (first !== undefined && problems.length === keys.length)
    return { found: texts, fix: named(first, 'TXT record', record) };
  // RFC 6376 §3.6.2.2: if there are several, receivers use any of them.
  return {
    found: texts,
    fix:
      keys.length + written.length === 1 || problems.length + written.length === 0
        ? null
        : `Remove the other TXT records at ${record.name}: a selector has one key.`,
  };
}

/** Whether a TXT record is meant as a DMARC policy (RFC 7489 §6.3). */
export const isPolicy = (text: string): boolean => /^v=DMARC1\s*(;|$)/.test(text);

/** Whether receivers apply a policy (RFC 7489 §6.6.3): without a valid `p`, only if reports are requested. */
function isApplied(text: string): boolean {
  const tags = new Map(
    text.split(';').map((tag) => {
      const [name = '', ...rest] = tag.split('=');
      return [name.trim().toLowerCase(), rest.join('=').trim().toLowerCase()] as const;
    }),
  );
  const isKnown = (policy: string): boolean => ['none', 'quarantine', 'reject'].includes(policy);
  const isValid = isKnown(tags.get('p') ?? '') && isKnown(tags.get('sp') ?? 'none');
  return isValid || (tags.get('rua') ?? '').includes('mailto:');
}

function matchDmarc(record: ExpectedRecord, texts: readonly string[]): Match {
  const policies = texts.filter(isPolicy);
  const [policy] = policies;
  if (policy === undefined) return { found: texts, fix: withoutRecord(record, texts, isPolicy) };
  // RFC 7489 §6.6.3: several records count as none.
  if (policies.length > 1) return { found: texts, fix: `Keep one of the DMARC records at ${record.name}.` };
  return {
    found: texts,
    fix: isApplied(policy)
      ? null
      : `Add a policy to the DMARC record at ${record.name}, after “v=DMARC1;”: p=none, p=quarantine or p=reject. Receivers ignore it now.`,
  };
}

function matchSpf(record: ExpectedRecord, texts: readonly string[]): Match {
  const records = texts.filter(isSpf);
  const [only] = records;
  if (only === undefined) return { found: texts, fix: withoutRecord(record, texts, isSpf) };
  if (records.length > 1)
    return { found: texts, fix: `Join the SPF records at ${record.name} into one: several are an error (RFC 7208).` };
  const host = / include:(\S+)/.exec(record.value)?.[1] ?? '';
  const problem = spfProblem(only, host.toLowerCase());
  return { found: texts, fix: problem === null ? null : named(problem, 'SPF record', record) };
}
