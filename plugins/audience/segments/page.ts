import type { ValueOf } from '#core/kernel/schema/schema.js';
import { beforeId, cutPage, type PageRequest } from '#core/kernel/schema/paging.js';
import type { ReadSession } from '#core/runtime/database/read-session.js';
import { idText } from '#core/runtime/id.js';
import type { Contact } from '../resources.js';
import { contacts } from '../tables/contact.js';
import { presentContact } from '../contacts/present.js';
import type { Scope } from './compile.js';
import { newestIds } from './planner.js';
import type { Tree } from './tree.js';

type Presented = ValueOf<typeof Contact>;

/** Presents contacts in the order of their ids, without the ones that were deleted in the meantime. */
export async function contactsById(db: ReadSession, ids: readonly Buffer[]): Promise<Presented[]> {
  if (ids.length === 0) return [];
  const rows = await db.select(contacts, 'contact').where('contact.id IN (:...ids)', { ids }).getMany();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(idText(id));
    return row ? [presentContact(row)] : [];
  });
}

/**
 * One page of the contacts that a tree matches, newest first. The cursor is an id, so that writes do not shift pages.
 */
export async function contactPage(
  db: ReadSession,
  tree: Tree,
  scope: Scope,
  { before, limit }: PageRequest,
): Promise<{ contacts: Presented[]; next: string | null }> {
  const from = before === undefined ? undefined : beforeId(before);
  const ids = await newestIds(db, tree, scope, { before: from, limit: limit + 1 });
  const { rows, next } = cutPage(
    ids.map((bytes) => ({ id: idText(bytes), bytes })),
    limit,
  );
  const found = await contactsById(
    db,
    rows.map(({ bytes }) => bytes),
  );
  return { contacts: found, next };
}
