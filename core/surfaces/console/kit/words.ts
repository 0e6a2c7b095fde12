import type { ConsoleOperation } from '../shared.js';

/* Words for people, made from the names of operations and fields. */

const abbreviations = new Map(
  [
    'URL',
    'URLs',
    'ID',
    'API',
    'SMS',
    'HTML',
    'IP',
    'MFA',
    'TOTP',
    'DNS',
    'DKIM',
    'SPF',
    'CSV',
    'PDF',
    'VAT',
    'TLS',
    'MIME',
    'OAuth',
  ].map((word) => [word.toLowerCase(), word]),
);

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s._-]+/)
    .filter((word) => word !== '');

/** Short names of operations in full. */
const inFull: Readonly<Record<string, string>> = {
  org: 'organization',
  orgs: 'organizations',
  signin: 'sign-in',
  signup: 'sign-up',
  signout: 'sign out',
};

const sentence = (words: readonly string[]): string =>
  words
    .map((word) => inFull[word.toLowerCase()] ?? word)
    .map((word) => abbreviations.get(word.toLowerCase()) ?? word.toLowerCase())
    .map((word, index) => (index === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word))
    .join(' ');

/** A field as a label: `redirectUrls` is “Redirect URLs”. */
export const labelOf = (field: string): string => sentence(wordsOf(field));

/** A status or another value of a closed set, for people: `past_due` is “Past due”. */
export const choiceText = (value: string): string =>
  /^[a-z]+(?:_[a-z]+)*$/.test(value) ? sentence(wordsOf(value)) : value;

/** `email.webhook.delivery.list` is in the group `webhook.delivery`; an operation such as `email.send` is in ''. */
export const groupOf = ({ name }: Pick<ConsoleOperation, 'name'>): string => name.split('.').slice(1, -1).join('.');

export const productOf = ({ name }: Pick<ConsoleOperation, 'name'>): string => name.split('.')[0] ?? '';

/** Words that are plural already, or have no plural. */
const plurals = /(?:inbound|news|settings|stats|preferences|details|deliveries|me|mfa|oauth|usage)$/i;

function plural(word: string): string {
  if (plurals.test(word)) return word;
  if (/(?:s|x|ch|sh)$/.test(word)) return `${word}es`;
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

/** A group as the title of its list: `webhook.delivery` is “Webhook deliveries”. */
export function groupTitle(group: string): string {
  const words = wordsOf(group);
  const last = words.at(-1) ?? '';
  return sentence([...words.slice(0, -1), plural(last)]);
}

/** A group as one thing: `webhook.delivery` is “Webhook delivery”. */
export const thingTitle = (group: string): string => sentence(wordsOf(group));

/** An operation as a button: `email.broadcast.pause` is “Pause broadcast”, `email.send` is “Send email”. */
export function actionTitle({ name }: Pick<ConsoleOperation, 'name'>): string {
  const parts = name.split('.');
  const verb = wordsOf(parts.at(-1) ?? '');
  const thing = parts.length > 2 ? parts.slice(1, -1) : parts.slice(0, 1);
  return sentence([...verb, ...thing.flatMap(wordsOf)]);
}

/** The first sentence of a text, without its full stop. */
export const firstSentence = (text: string): string => /^(.*?)(?:\.(?:\s|$)|$)/s.exec(text)?.[1] ?? text;

/** A phone number as people write it, in E.164: `0049 171/39200` is +4917139200. */
export const plainNumber = (written: string): string => written.replace(/[\s()./-]/g, '').replace(/^00/, '+');

/** A number with its unit: `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string =>
  `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? noun : plural(noun)}`;
