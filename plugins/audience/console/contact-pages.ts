import { call, textAt, rowsAt, type Row } from '#core/surfaces/console/kit/index.js';

/** The largest page that audience.contact.list returns. */
const pageSize = 100;

/**
 * Reads the contacts of a filter, page by page.
 * @param most how many at most
 * @param onPage called with what was read so far; a read ends early if it returns false
 * @throws SvcError
 */
export async function readContacts(
  filter: Row,
  most: number,
  onPage: (read: number) => boolean,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let before: Row = {};
  while (rows.length < most) {
    const { result } = await call('audience.contact.list', { ...filter, ...before, limit: pageSize });
    rows.push(...rowsAt(result, 'contacts'));
    const next = textAt(result, 'nextBefore');
    if (!onPage(rows.length) || next === '') break;
    before = { before: next };
  }
  return rows.slice(0, most);
}

/** How many calls of a bulk change run at the same time. */
const atOnce = 4;

/**
 * Does something for each row, a few at a time.
 * @param onDone called after each; the rest is left out if it returns false
 * @returns the rows for which it was refused, with the reason
 */
export async function forEachRow(
  rows: readonly Row[],
  act: (row: Row) => Promise<unknown>,
  onDone: (done: number) => boolean,
): Promise<readonly { readonly row: Row; readonly error: unknown }[]> {
  const left = [...rows];
  const refused: { row: Row; error: unknown }[] = [];
  const state = { done: 0, isStopped: false };
  const work = async (): Promise<void> => {
    for (let row = left.shift(); row && !state.isStopped; row = left.shift()) {
      const one = row;
      await act(one).catch((error: unknown) => refused.push({ row: one, error }));
      state.done += 1;
      if (!onDone(state.done)) state.isStopped = true;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return refused;
}
