import { attributeOf, hasAttribute, tokensOf } from './visual/tokens.js';

/* What to look at before an email is sent, for people. */

export interface Check {
  readonly ok: boolean;
  readonly text: string;
}

/** About the number of characters of a subject that phones show. */
const shownSubject = 50;

const quoted = (text: string): string => {
  const words = text.replace(/\s+/g, ' ').trim();
  return words === '' ? 'A link' : `“${words.length > 40 ? `${words.slice(0, 40)}…` : words}”`;
};

/** What is wrong with an address; undefined if nothing is. */
function addressProblem(href: string): string | undefined {
  if (/^(?:https?:\/\/|#)?$/.test(href)) return 'has no address';
  if (/^https?:\/\/(?:localhost|127\.|\[::1\])/i.test(href)) return 'leads to your own computer';
  if (/^http:/i.test(href)) return 'is not encrypted: use https';
  const parameters = [...href.matchAll(/[?&](utm_\w+)=/g)].map(([, name]) => name);
  if (new Set(parameters).size < parameters.length) return 'has a tracking parameter twice';
  return /^(?:https:|mailto:|tel:|\{)/i.test(href) ? undefined : 'has no complete address: it must begin with https://';
}

/**
 * @param texts of one language
 * @returns what was checked, what is wrong first
 */
export function checksOf({ subject, html }: { readonly subject: string; readonly html: string }): Check[] {
  const tokens = tokensOf(html);
  const sourceOf = (index: number): string => html.slice(tokens[index]?.from, tokens[index]?.to);
  const pictures = tokens.flatMap(({ name, kind }, index) =>
    name === 'img' && kind === 'void' ? [sourceOf(index)] : [],
  );
  const links = tokens.flatMap(({ name, kind, to, match }, index) => {
    if (name !== 'a' || kind !== 'open' || !hasAttribute(sourceOf(index), 'a', 'href')) return [];
    const content = match > index ? html.slice(to, tokens[match]?.from) : '';
    return [{ href: attributeOf(sourceOf(index), 'a', 'href').trim(), text: content.replace(/<[^>]*>/g, ' ') }];
  });
  const isOwnPage = /<html[\s>]/i.test(html);
  const hasFooter = !isOwnPage || (html.includes('preferencesUrl') && html.includes('legalAddress'));
  // The library of pictures marks decoration with this role.
  const nameless = pictures.filter(
    (tag) => attributeOf(tag, 'img', 'alt').trim() === '' && attributeOf(tag, 'img', 'role') !== 'presentation',
  ).length;
  const addressless = pictures.filter((tag) => attributeOf(tag, 'img', 'src').trim() === '').length;
  const checks: Check[] = [
    {
      ok: subject.length <= shownSubject,
      text:
        subject.length <= shownSubject
          ? 'The subject is short enough for phones'
          : `The subject has ${subject.length} characters: phones show about ${shownSubject}`,
    },
    {
      ok: hasFooter,
      text: hasFooter
        ? 'Unsubscribe link and postal address'
        : 'The page shows no unsubscribe link (preferencesUrl) or no postal address (legalAddress)',
    },
    {
      ok: nameless === 0,
      text: nameless === 0 ? 'Every picture has a description' : `Pictures without a description: ${nameless}`,
    },
    ...(addressless === 0 ? [] : [{ ok: false, text: `Pictures without an address: ${addressless}` }]),
    ...links.flatMap(({ href, text }) => {
      const problem = addressProblem(href);
      return problem === undefined ? [] : [{ ok: false, text: `${quoted(text)} ${problem}` }];
    }),
  ];
  return checks.toSorted((one, other) => Number(one.ok) - Number(other.ok));
}
