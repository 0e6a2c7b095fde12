import type { StoredText } from '../../providers/log/store.js';

/** The phones on one page of the list. */
const perPage = 50;

export const longestQuery = 40;

/** The part of the list that is shown, from the page's address. */
export interface Selection {
  /** The search term; empty for all. */
  query: string;
  /** The id of the last text of the previous page; null for the first page. */
  before: string | null;
}

export const selectionIn = (asked: URLSearchParams): Selection => ({
  query: (asked.get('q') ?? '').trim().slice(0, longestQuery),
  before: asked.get('before'),
});

/**
 * The newest text of each phone whose number contains the searched digits, newest first.
 * @param texts all of them, newest first
 */
export function selectPhones(
  texts: readonly StoredText[],
  { query, before }: Selection,
): { newest: StoredText[]; more: boolean } {
  const phones = new Map<string, StoredText>();
  for (const text of texts) if (!phones.has(text.phone)) phones.set(text.phone, text);
  // A number may be entered in its dialled form: 0151 23 or 0049 151 23.
  const digits = query.replaceAll(/\D/g, '').replace(/^0+/, '');
  const matches = ({ phone }: StoredText): boolean => query === '' || (digits !== '' && phone.includes(digits));
  const found = [...phones.values()].filter((text) => matches(text) && (before === null || text.id < before));
  return { newest: found.slice(0, perPage), more: found.length > perPage };
}
