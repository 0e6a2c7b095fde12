import type { Exchanger } from '../dns-resolver.js';
import type { ExpectedRecord } from './records.js';

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

/** The tags of `v=DKIM1; k=rsa; p=…` (RFC 6376 §3.2), without the white space that may occur anywhere in a key. */
const tagsOf = (text: string): Map<string, string> =>
  new Map(
    text.split(';').map((tag) => {
      const [name = '', ...rest] = tag.split('=');
      return [name.trim().toLowerCase(), rest.join('=').replaceAll(/\s/g, '')];
    }),
  );

const isKey = (text: string): boolean => tagsOf(text).has('p');

/** The result of looking up the record of a DKIM key that was replaced by a newer one. */
export const matchReplacedKey = ({ name, found, fix }: Match & { readonly name: string }): Match => ({
  found,
  fix:
    fix === null || found.some(isKey)
      ? fix
      : `A newer key has replaced ${name}. Nothing to do, unless mail of the last few days must still verify.`,
});

function matchKey(record: ExpectedRecord, texts: readonly string[]): Match {
  const keys = texts.filter(isKey);
  const expected = tagsOf(record.value);
  const is = (text: string): boolean => {
    const tags = tagsOf(text);
    return (
      tags.get('p') === expected.get('p') &&
      (tags.get('k') ?? 'rsa') === expected.get('k') &&
      (tags.get('v') ?? 'DKIM1') === 'DKIM1'
    );
  };
  if (keys.length === 0) return { found: texts, fix: publish(record) };
  if (!keys.some(is))
    return {
      found: texts,
      fix: `Replace the TXT record at ${record.name} with this value: it contains another key.`,
    };
  // RFC 6376 §3.6.2.2: if there are several, receivers use any of them.
  return {
    found: texts,
    fix: keys.every(is) ? null : `Remove the other TXT records at ${record.name}: a selector has one key.`,
  };
}

/** Whether a TXT record is a DMARC policy (RFC 7489 §6.3). */
export const isPolicy = (text: string): boolean => /^v=DMARC1\s*(;|$)/.test(text);

function matchDmarc(record: ExpectedRecord, texts: readonly string[]): Match {
  const policies = texts.filter(isPolicy);
  if (policies.length === 0) return { found: texts, fix: publish(record) };
  // RFC 7489 §6.6.3: several records count as none.
  return { found: texts, fix: policies.length === 1 ? null : `Keep one of the DMARC records at ${record.name}.` };
}

function matchSpf(record: ExpectedRecord, texts: readonly string[]): Match {
  const records = texts.filter((text) => /^v=spf1( |$)/i.test(text));
  const include = / (include:\S+)/.exec(record.value)?.[1] ?? '';
  if (records.length === 0) return { found: texts, fix: publish(record) };
  if (records.length > 1)
    return { found: texts, fix: `Join the SPF records at ${record.name} into one: several are an error (RFC 7208).` };
  const terms = (records[0] ?? '').toLowerCase().split(/ +/);
  const redirect = include.replace('include:', 'redirect=');
  const included = [include, `+${include}`, redirect].some((term) => terms.includes(term));
  return {
    found: texts,
    fix: included ? null : `Add ${include} to the SPF record at ${record.name}, before its “all”.`,
  };
}
