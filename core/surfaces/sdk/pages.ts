import type { Caller } from './call.js';
import type { CallOptions } from './types.js';

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Every item of a list, newest first: one call per page, made when its items are asked for (docs/interface.md, Calls 6). The
 * input's `limit` is the size of a page.
 * @param field the reply's field with the items
 */
export async function* everyItem(
  call: Caller,
  name: string,
  field: string,
  input: object,
  options: CallOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  for (let page = input; ;) {
    const { result } = await call(name, page, options);
    const reply = isFields(result) ? result : {};
    const items: unknown = reply[field];
    if (Array.isArray(items)) yield* items;
    const before = reply['nextBefore'];
    if (typeof before !== 'string') return;
    page = { ...input, before };
  }
}
