import { parse } from 'tldts';
import { domainOf, parseAddress } from '#core/kernel/schema/email-address.js';

export type ParsedDomain = { ok: true; domain: string } | { ok: false; problem: string };

/** Leaves room for the prefix `svc1._domainkey.` within the 253 octets of a name (RFC 1035 §2.3.4). */
const octets = 230;

/**
 * Reads a domain to send from.
 * @param text as a person typed it: without scheme, path, port or final dot; international names in either form
 * @param deploymentDomain SVC_MAIL_DOMAIN, whose names belong to the deployment
 * @returns the domain in lower case and ASCII, or the problem with it, as the end of a sentence
 */
export function parseDomain(text: string, deploymentDomain: string): ParsedDomain {
  if (!text.includes('.')) return refused('it has no dot: a sending domain is a name such as example.com');
  const parsed = text.includes('@') ? { ok: false } : parseAddress(`postmaster@${text}`);
  if (!parsed.ok || !('address' in parsed))
    return refused('it must be a bare domain name such as example.com, without scheme, path, port or address');
  const domain = domainOf(parsed.address);
  if (domain.length > octets) return refused(`it is longer than ${octets} octets`);
  if (parse(domain, { allowPrivateDomains: true }).publicSuffix === domain)
    return refused('it is a public suffix, under which anyone can register names');
  if (domain === deploymentDomain || domain.endsWith(`.${deploymentDomain}`))
    return refused('it belongs to this deployment, where each project already has its own sending domain');
  return { ok: true, domain };
}

const refused = (problem: string): ParsedDomain => ({ ok: false, problem });
