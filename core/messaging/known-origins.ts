import { refusalOf } from '#core/kernel/errors/common.js';

/** Where the origins of messages are looked up, on one channel. */
interface KnownOrigin {
  /** The id or name that a call gives; undefined if it gives none. */
  readonly given: string | undefined;
  isKnown(given: string): Promise<boolean>;
  readonly notFound: { readonly thing: string; readonly lookup: string };
}

/**
 * Refuses a filter that names something unknown: a list that is empty because of a typo would look correct. Deleted and
 * archived origins are known.
 * @throws not_found
 */
export async function requireKnown(origins: readonly KnownOrigin[]): Promise<void> {
  for (const { given, isKnown, notFound } of origins)
    if (given !== undefined && !(await isKnown(given))) throw refusalOf.not_found({ ...notFound });
}
