import { isIPv4, isIPv6 } from 'node:net';

/*
 * Reads SPF records as receivers do (RFC 7208). A mistake anywhere makes the whole record a permanent error, and what
 * follows `all` is never tested.
 */

/** The most terms of a record that need DNS lookups (RFC 7208 4.6.4). */
const mostLookups = 10;
const lookups = ['include', 'a', 'mx', 'ptr', 'exists'];

interface Directive {
  readonly qualifier: string;
  readonly name: string;
  /** After the colon; null without one. */
  readonly domain: string | null;
  readonly cidr: string;
}

/** Whether receivers take a TXT record for SPF (RFC 7208 4.5). */
export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/**
 * @param text an SPF record
 * @param host the host whose record it must include
 * @returns what is wrong, as what to do with the record; null if it lets the hosts of `host` pass
 */
export function spfProblem(text: string, host: string): string | null {
  const terms = text
    .toLowerCase()
    .split(/ +/)
    .slice(1)
    .filter((term) => term !== '');
  const unreadable = terms.find((term) => !isTerm(term));
  const include = `include:${host}`;
  if (unreadable === 'include:') return `Remove the space after “include:” in {record}.`;
  if (unreadable !== undefined)
    return `Correct or remove “${unreadable.slice(0, 100)}” in {record}: it is a permanent error (RFC 7208), and nothing in the record counts.`;
  for (const name of ['redirect=', 'exp='])
    if (terms.filter((term) => term.startsWith(name)).length > 1)
      return `Keep one “${name}” in {record}: several are a permanent error (RFC 7208).`;
  const isOurs = (domain: string | null): boolean => domain !== null && domain.replace(/\.$/, '') === host;
  const directives = terms.flatMap((term) => (isModifier(term) ? [] : [directiveOf(term)]));
  const all = directives.findIndex(({ name }) => name === 'all');
  const ours = directives.findIndex(({ name, domain }) => name === 'include' && isOurs(domain));
  const redirects = terms.some((term) => term.startsWith('redirect=') && isOurs(term.slice('redirect='.length)));
  if (ours < 0 && redirects)
    return all < 0
      ? tooMany(directives, directives.length, 1)
      : `Replace “redirect=${host}” with “${include}”, before “all”, in {record}: redirect is ignored beside all.`;
  if (ours < 0) return `Add ${include} to {record}, before its “all”.`;
  if (all >= 0 && all < ours) return `Move ${include} before “all” in {record}: nothing after it is tested.`;
  const { qualifier = '+' } = directives[ours] ?? {};
  if (qualifier !== '+')
    return `Remove the “${qualifier}” before ${include} in {record}: with it, the relay does not pass.`;
  return tooMany(directives, ours + 1, 0);
}

/** @param tested how many of the directives receivers test until the relay's hosts pass */
function tooMany(directives: readonly Directive[], tested: number, others: number): string | null {
  const count = directives.slice(0, tested).filter(({ name }) => lookups.includes(name)).length + others;
  return count > mostLookups
    ? `Remove terms from {record}: ${count} need DNS lookups, and more than ${mostLookups} are a permanent error (RFC 7208).`
    : null;
}

const isModifier = (term: string): boolean => /^[a-z][a-z0-9._-]*=/.test(term);

function directiveOf(term: string): Directive {
  const qualifier = /^[+?~-]/.test(term) ? term.slice(0, 1) : '';
  const bare = term.slice(qualifier.length);
  const end = bare.search(/[:/]/);
  const name = end < 0 ? bare : bare.slice(0, end);
  const rest = end < 0 ? '' : bare.slice(end);
  if (!rest.startsWith(':')) return { qualifier: qualifier || '+', name, domain: null, cidr: rest };
  const slash = rest.indexOf('/');
  const domain = slash < 0 ? rest.slice(1) : rest.slice(1, slash);
  return { qualifier: qualifier || '+', name, domain, cidr: slash < 0 ? '' : rest.slice(slash) };
}

/** Whether a term is a modifier or a known mechanism with valid arguments (RFC 7208 12). */
function isTerm(term: string): boolean {
  if (isModifier(term)) {
    const [name = '', ...rest] = term.split('=');
    const value = rest.join('=');
    return name === 'redirect' || name === 'exp' ? isDomain(value) : isMacroText(value);
  }
  const { name, domain, cidr } = directiveOf(term);
  switch (name) {
    case 'all':
      return domain === null && cidr === '';
    case 'include':
    case 'exists':
      return domain !== null && isDomain(domain) && cidr === '';
    case 'a':
    case 'mx':
      return (domain === null || isDomain(domain)) && isDualLength(cidr);
    case 'ptr':
      return (domain === null || isDomain(domain)) && cidr === '';
    case 'ip4':
      return isIPv4(domain ?? '') && isLength(cidr, 32);
    case 'ip6':
      return isIPv6(domain ?? '') && !(domain ?? '').includes('%') && isLength(cidr, 128);
    default:
      return false;
  }
}

/** Whether a text is empty or a prefix length, such as `/24`. */
const isLength = (text: string, most: number): boolean =>
  text === '' || (/^\/(?:0|[1-9][0-9]{0,2})$/.test(text) && Number(text.slice(1)) <= most);

/** The same for addresses of both kinds: `/24`, `//64` or `/24//64`. */
function isDualLength(text: string): boolean {
  const at = text.indexOf('//');
  return at < 0
    ? isLength(text, 32)
    : isLength(text.slice(0, at), 32) && isLength(text.slice(at + 1), 128) && text.length > at + 2;
}

/** Whether a text is visible ASCII in which each `%` begins a macro (RFC 7208 7.1). */
const isMacroText = (text: string): boolean =>
  /^[!-~]*$/.test(text) &&
  !text.replaceAll(/%(?:\{[slodiphcrtv][0-9]{0,3}r?[.+,/_=-]{0,9}\}|[%_-])/g, '').includes('%');

/** Whether a text is a domain-spec: macros, or a name of at least two labels. */
function isDomain(text: string): boolean {
  if (text.length > 253 || !isMacroText(text)) return false;
  if (text.endsWith('}')) return true;
  const labels = text.replace(/\.$/, '').split('.');
  const top = labels.at(-1) ?? '';
  return (
    labels.length > 1 && !labels.includes('') && /^[a-z0-9-]+$/.test(top) && !/^[0-9]+$/.test(top) && !/^-|-$/.test(top)
  );
}
