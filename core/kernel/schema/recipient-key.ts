import { domainOf, mailboxKey } from './email-address.js';

/** The rules by which a provider delivers several spellings of an address to one mailbox. */
interface Spelling {
  /** The domain that stands for all of the provider's domains with the same users. */
  readonly domain: string;
  /** Characters before the @ that do not matter. */
  readonly ignored?: RegExp;
  /** What separates the name from a tag, in addition to a plus sign. */
  readonly tag?: string;
}

const gmail: Spelling = { domain: 'gmail.com', ignored: /\./g };
const proton: Spelling = { domain: 'proton.me', ignored: /[._-]/g };
const icloud: Spelling = { domain: 'icloud.com' };
const yandex: Spelling = { domain: 'yandex.ru', ignored: /[.-]/g };
// The name of a Yahoo address contains no hyphen; disposable addresses have a keyword after one.
const yahoo = (domain: string): Spelling => ({ domain, tag: '-' });

const spellings: ReadonlyMap<string, Spelling> = new Map([
  ...['gmail.com', 'googlemail.com'].map((name) => [name, gmail] as const),
  ...['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'].map((name) => [name, proton] as const),
  ...['icloud.com', 'me.com', 'mac.com'].map((name) => [name, icloud] as const),
  ['ya.ru', yandex],
  ...['ymail.com', 'rocketmail.com', 'myyahoo.com'].map((name) => [name, yahoo(name)] as const),
]);

/**
 * Yandex has the same users under the domains of many countries (`yandex.com.tr`), Yahoo others in each
 * (`yahoo.co.jp`).
 */
const ofCountry = /^(yandex|yahoo)\.[a-z]{2,3}(?:\.[a-z]{2})?$/;

function spellingOf(domain: string): Spelling | undefined {
  const name = ofCountry.exec(domain)?.[1];
  if (name === undefined) return spellings.get(domain);
  return name === 'yandex' ? yandex : yahoo(domain);
}

/** Fastmail delivers `tag@ada.fastmail.com` to `ada@fastmail.com`, under all domains of its name. */
const userDomain = /^[^@]+@([^@.]+)\.(fastmail\.[a-z]{2,3}(?:\.[a-z]{2})?)$/;

/**
 * The mailbox that mail to an address reaches, as far as its form tells. Only for limits of mail that somebody else
 * asks for: one mailbox could otherwise get any number of mails by writing its address differently. People and opt-outs
 * are matched by `mailboxKey`, because a wrong guess there would mix up two people; here they only share a limit.
 *
 * Most servers deliver `ada+news@` to `ada@` (RFC 5233); some ignore dots, or have several domains.
 */
export function recipientKey(address: string): string {
  const key = mailboxKey(address);
  const at = key.lastIndexOf('@');
  if (at < 1) return key;
  const [, user, host] = userDomain.exec(key) ?? [];
  if (user !== undefined && host !== undefined) return `${user}@${host}`;
  const spelling = spellingOf(domainOf(key));
  const name = before(key.slice(0, at), '+');
  if (!spelling) return `${name}@${domainOf(key)}`;
  const untagged = spelling.tag === undefined ? name : before(name, spelling.tag);
  const plain = spelling.ignored ? untagged.replace(spelling.ignored, '') : untagged;
  return `${plain === '' ? untagged : plain}@${spelling.domain}`;
}

/** What is before a mark; all of it if the mark is missing or first. */
function before(name: string, mark: string): string {
  const at = name.indexOf(mark);
  return at < 1 ? name : name.slice(0, at);
}
