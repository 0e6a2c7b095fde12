import type { JoinedLists } from '#core/kernel/operation-hints.js';
import { isRecord, listAt } from '#core/runtime/json.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A reply with its lists of the same things joined into one: the other lists are left out, and their fields are added
 * if the item has no such field.
 */
export function joinLists(result: Fields, { list, from, by }: JoinedLists): Fields {
  const keys = Object.entries(by);
  const added = from.flatMap((path) => listAt(result, ...path.split('.'))).filter(isRecord);
  const joined = listAt(result, ...list.split('.')).map((item) => {
    if (!isRecord(item)) return item;
    const same = added.find((each) => keys.every(([theirs, ours]) => each[theirs] === item[ours])) ?? {};
    const others = Object.entries(same).filter(([name]) => !(name in by) && !(name in item));
    return { ...item, ...Object.fromEntries(others) };
  });
  const rest = from.reduce((each, path) => replaced(each, path.split('.')), result);
  return joined.length === 0 ? rest : replaced(rest, list.split('.'), joined);
}

/** The object with another value at a path, or without its value. */
function replaced(object: Fields, [name = '', ...path]: readonly string[], value?: unknown): Fields {
  const { [name]: found, ...others } = object;
  if (path.length > 0) return isRecord(found) ? { ...object, [name]: replaced(found, path, value) } : object;
  return value === undefined ? others : { ...object, [name]: value };
}
