import { propertyKey } from '../values.js';
import { literal, output, propertyPath, translated, type Translation } from './translation.js';

/*
 * Merge tags, *|FNAME|*, and conditional blocks, *|IF:FNAME|* … *|ELSE:|* … *|END:IF|*
 * (https://mailchimp.com/help/all-the-merge-tags-cheat-sheet/,
 * https://mailchimp.com/help/use-conditional-merge-tag-blocks/).
 */

const outputs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    UNSUB: '{{ preferencesUrl }}',
    UPDATE_PROFILE: '{{ preferencesUrl }}',
    'LIST:ADDRESS': '{{ legalAddress }}',
    'LIST:ADDRESSLINE': '{{ legalAddress }}',
    'HTML:LIST_ADDRESS_HTML': '{{ legalAddress }}',
    LIST_ADDRESS: '{{ legalAddress }}',
    'LIST:COMPANY': '{{ brandName }}',
    CURRENT_YEAR: '{{ "now" | date: "%Y" }}',
  }),
);

const fields: ReadonlyMap<string, string> = new Map(
  Object.entries({
    FNAME: 'contact.firstName',
    LNAME: 'contact.lastName',
    EMAIL: 'contact.email',
    PHONE: 'contact.phone',
  }),
);

/** @param columns fields here by merge tag, in lower case, as `--map` states them */
export function mailchimpToLiquid(text: string, columns: ReadonlyMap<string, string>): Translation {
  /** Blocks that are open: whether their beginning was translated. */
  const blocks: boolean[] = [];
  const pathOf = (tag: string): string | undefined => {
    if (!/^[A-Z][A-Z0-9_]{0,19}$/.test(tag) || tag.startsWith('MC_')) return undefined;
    const stated = columns.get(tag.toLowerCase());
    if (stated === 'ignore') return undefined;
    if (stated?.startsWith('properties.') === true) return propertyPath(stated.slice('properties.'.length));
    if (stated !== undefined) return `contact.${stated}`;
    return fields.get(tag) ?? propertyPath(propertyKey(tag));
  };
  const conditionOf = (condition: string, isNot: boolean): string | undefined => {
    const [, tag = '', sign, value = ''] =
      /^([A-Z0-9_]+)\s*(?:(!=|>=|<=|=|>|<)\s*(.*))?$/s.exec(condition.trim()) ?? [];
    const path = pathOf(tag);
    if (path === undefined || (isNot && sign !== undefined)) return undefined;
    // An empty text counts as true in Liquid.
    if (sign === undefined) return `${path} ${isNot ? '==' : '!='} blank`;
    return `${path} ${sign === '=' ? '==' : sign} ${literal(value)}`;
  };
  const ofBlock = (kind: string, condition: string): string | undefined => {
    const isOpen = kind === 'IF' || kind === 'IFNOT';
    const liquid = conditionOf(condition, kind === 'IFNOT');
    if (isOpen) blocks.push(liquid !== undefined);
    if (kind === 'ELSEIF') return blocks.at(-1) === true && liquid !== undefined ? `{% elsif ${liquid} %}` : undefined;
    return liquid === undefined ? undefined : `{% if ${liquid} %}`;
  };
  const translation = translated(text, /\*\|([^|*]{1,200})\|\*|\{\{|\{%/g, (piece) => {
    if (piece.startsWith('{')) return undefined;
    const tag = piece.slice(2, -2).trim();
    const [, kind, condition = ''] = /^(IF|IFNOT|ELSEIF):(.+)$/s.exec(tag) ?? [];
    if (kind !== undefined) return ofBlock(kind, condition);
    if (/^ELSE:?$/.test(tag)) return blocks.at(-1) === true ? '{% else %}' : undefined;
    if (/^END:?\s?IF$/.test(tag)) return blocks.pop() === true ? '{% endif %}' : undefined;
    const known = outputs.get(tag);
    if (known !== undefined) return known;
    const path = pathOf(tag);
    return path === undefined || notOfContacts.test(tag) ? undefined : output(path);
  });
  // Liquid refuses a block that is not closed.
  const open = blocks.filter((isTranslated) => isTranslated).length;
  return open === 0
    ? translation
    : {
        text: translation.text + '{% endif %}'.repeat(open),
        untranslated: [...translation.untranslated, '*|END:IF|* is missing'],
      };
}

/** Tags of Mailchimp itself that look like those of fields. */
const notOfContacts =
  /^(?:ARCHIVE|ARCHIVE_PAGE|FORWARD|REWARDS|REWARDS_TEXT|TRANSLATE|UNIQID|CAMPAIGN_UID|USER|ABOUT_LIST|DATE|TIME|VCARD|BRAND|CONNECT|POLL|SURVEY|RATE|ABUSE_EMAIL|OPTIN_DATE|RSSITEM|RSSFEED|FEED|TWITTER|FACEBOOK|PROMO_CODE)$/;
