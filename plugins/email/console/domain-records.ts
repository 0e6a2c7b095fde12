import type { ResultOf } from '#core/surfaces/console/kit/index.js';

type DomainRecord = ResultOf<'email.domain.get'>['domain']['records'][number];

/** Two labels, or three below such as co.uk: what a panel adds to a name by itself. */
const zoneOf = (domain: string): string => {
  const labels = domain.split('.');
  const isDouble = /^(?:ac|co|com|edu|gov|net|or|org)$/.test(labels.at(-2) ?? '') && (labels.at(-1) ?? '').length === 2;
  return labels.slice(isDouble ? -3 : -2).join('.');
};

/** A record's name as panels want it that add the domain by themselves. */
export function shortName(name: string, domain: string): string {
  const zone = zoneOf(domain);
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** A TXT value in strings of at most 255 bytes (RFC 1035 3.3.14). */
const quoted = (value: string): string =>
  (value.match(/.{1,255}/gs) ?? ['']).map((part) => `"${part.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');

/** The records in the form of a zone file (RFC 1035 5.1), with full names. */
export const zoneFile = (records: readonly DomainRecord[]): string =>
  records
    .map(({ type, name, value }) => {
      const data = type === 'TXT' ? quoted(value) : value.endsWith('.') ? value : `${value}.`;
      return `${name}. 3600 IN ${type} ${data}\n`;
    })
    .join('');

/** A message to whoever may change the DNS. */
export const messageToColleague = (domain: string, records: readonly DomainRecord[]): string =>
  [
    `Please add these DNS records for ${domain}, so that we can send email from it:`,
    ...records.map(
      ({ type, name, value, required }) =>
        `Type: ${type}${required ? '' : ' (recommended)'}\nName: ${name} (short: ${shortName(name, domain)})\nValue: ${value}`,
    ),
    'Nothing else has to change. Thank you!',
  ].join('\n\n');
