import type { Caller } from './call.js';
import type { CallOptions } from './types.js';

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Iterates over all items of a list, newest first. Pages are fetched as the loop reaches them (docs/interface.md, Calls
 * 6); the input's `limit` is the page size.
 * @param field the field of the reply that holds the items
 */
export async function* allItems(
  call: Caller,
  name: string,
  field: string,
  input: object,
  options: CallOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  for (let page = input; ;) {
    const { result } = await call(name, page, options);
    const reply = isRecord(result) ? result : {};
    const items: unknown = reply[field];
    if (Array.isArray(items)) yield* items;
    const before = reply['nextBefore'];
    if (typeof before !== 'string') return;
    page = { ...input, before };
  }
}
