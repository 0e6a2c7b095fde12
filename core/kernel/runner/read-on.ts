import { isRecord } from '#core/runtime/json.js';
import { isStatementTimeout, isUnavailable } from '#core/runtime/database/errors.js';
import { ShareExhausted } from '#core/runtime/database/pool/fair-share.js';
import { propertiesOf } from '../schema/schema.js';
import type { Operation } from '../operation.js';

/*
 * A list checks a filter that no index serves on a limited number of rows (docs/decisions/0051-bounded-lists.md), so a
 * page may be empty although later ones have rows. Callers would have to ask for each of them, and many take an empty
 * page for an empty list. So a call reads the pages after an empty one too, until one has a row.
 */

/** No further page is read after this time. */
const enoughMs = 2_000;
/** The pages of one call: a million rows. */
const mostPages = 50;

/** A page of a list, or the answer of any other read. */
interface PageRead {
  readonly reply: unknown;
}

/**
 * The cursor after a page of a list that has no rows although it is not the last one; undefined for all other replies.
 * A list has exactly one array (docs/interface.md, “Calls”).
 */
function cursorAfterNothing({ input, output }: Operation, reply: unknown): string | undefined {
  if (!('before' in propertiesOf(input)) || !('nextBefore' in propertiesOf(output)) || !isRecord(reply))
    return undefined;
  const next = reply['nextBefore'];
  const lists = Object.values(reply).filter((value) => Array.isArray(value));
  return typeof next === 'string' && lists.every(({ length }) => length === 0) ? next : undefined;
}

/**
 * Reads on after a page without rows, until a page has one or is the last, for a limited time. Each page is read with a
 * separate connection, and only while `read` has a place for it, so that a search delays no other call.
 * @param read reads the page of an input; undefined if it may not be read now
 * @returns the last page that was read
 */
export async function readOn<Page extends PageRead>(
  operation: Operation,
  input: unknown,
  first: Page,
  read: (input: unknown) => Promise<Page | undefined>,
): Promise<Page> {
  const began = performance.now();
  let page = first;
  for (let pages = 1; pages < mostPages && performance.now() - began < enoughMs; pages += 1) {
    const before = cursorAfterNothing(operation, page.reply);
    if (before === undefined || !isRecord(input)) return page;
    const next = await read({ ...input, before }).catch(whenBusy);
    if (!next) return page;
    page = next;
  }
  return page;
}

/** What was read so far is an answer, too: the caller goes on from there. */
function whenBusy(error: unknown): undefined {
  if (error instanceof ShareExhausted || isUnavailable(error) || isStatementTimeout(error)) return undefined;
  throw error;
}
