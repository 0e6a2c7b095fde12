import { refusalOf } from '#core/kernel/errors/common.js';

/** Where what messages come from is looked up, on one channel. */
export interface KnownOrigin {
  /** The id or name that a call gives; undefined where it gives none. */
  readonly given: string | undefined;
  isKnown(given: string): Promise<boolean>;
  readonly notFound: { readonly thing: string; readonly lookup: string };
}

/**
 * Refuses a filter that names nothing: a list that is empty because of a typing error would pass for the truth. What
 * was deleted or archived is known.
 * @throws not_found
 */
export async function requireKnown(origins: readonly KnownOrigin[]): Promise<void> {
  for (const { given, isKnown, notFound } of origins)
    if (given !== undefined && !(await isKnown(given))) throw refusalOf.not_found({ ...notFound });
}
