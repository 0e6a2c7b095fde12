import { useDraft } from './draft.js';
import { changesSince, isSame, mergeOf, type Merged } from './merge.js';
import type { Row } from './state.js';

/*
 * The values of an editor. An edit begins from what was on screen or from what this page saved, never from a later
 * read: a later read is what somebody else has saved meanwhile, and both are merged.
 */

interface Kept<T> {
  readonly base: T;
  readonly value: T;
  /** The `updatedAt` of the base; null for what is not saved yet. */
  readonly since: string | null;
  /** What was sent last. Its answer may have been lost, so that a later read shows it. */
  readonly sent?: T;
}

/** What somebody else has saved since the edits began, if both have changed the same field. */
export interface Theirs {
  readonly merged: Merged;
  readonly updatedAt: string;
}

export interface Edits<T> {
  /** What was edited, with what only others have changed meanwhile. */
  readonly value: T;
  readonly isDirty: boolean;
  /** When the edits were made, if that was before this screen was opened. */
  readonly keptAt: Date | undefined;
  readonly edit: (next: T) => void;
  readonly discard: () => void;
  /** The fields that were changed here; a removed one is null. */
  readonly changes: Row;
  /** The state that the changes belong to, for `ifUnchangedSince`; nothing for what is not saved yet. */
  readonly guard: { readonly ifUnchangedSince?: string };
  /** Before a save. */
  readonly begin: () => void;
  /** After a save. What was typed while it ran stays. */
  readonly saved: (sent: T, updatedAt: string | null) => void;
  readonly theirs: Theirs | undefined;
  /** Goes on from what somebody else has saved. */
  readonly goOn: (value: Row) => void;
}

/**
 * @param record what is edited, such as `segment <id>`
 * @param saved what was read last, or what a new thing begins with
 * @param updatedAt of what was read; null if it is not saved yet
 * @param isKept false for values that must not be stored, such as secrets
 */
export function useEdits<T extends object>(
  record: string,
  saved: T,
  updatedAt: string | null,
  isKept: (value: T) => boolean = () => true,
): Edits<T> {
  const draft = useDraft<Kept<T>>(record, ({ value }) => isKept(value));
  const fresh: Kept<T> = { base: saved, value: saved, since: updatedAt };
  const kept = draft.value && !isSame(draft.value.value, draft.value.base) ? draft.value : fresh;
  const isLater = updatedAt !== null && (kept.since === null || updatedAt > kept.since);
  const isMine = isLater && kept.sent !== undefined && isSame(saved, kept.sent);
  const merged = isLater && !isMine ? mergeOf(rowOf(kept.base), rowOf(kept.value), rowOf(saved)) : undefined;
  const isOpen = merged !== undefined && merged.conflicts.length > 0;
  const value = isMine ? kept.value : merged && !isOpen ? shaped<T>(merged.value) : undefined;
  const now: Kept<T> = value === undefined ? kept : { ...fresh, value };
  return {
    value: now.value,
    isDirty: !isSame(now.value, now.base),
    keptAt: draft.keptAt,
    edit: (next) => draft.edit({ ...now, value: next }),
    discard: () => draft.edit(undefined),
    changes: changesSince(rowOf(now.base), rowOf(now.value)),
    guard: now.since === null ? {} : { ifUnchangedSince: now.since },
    begin: () => draft.update((last) => last && { ...now, value: now.value, sent: now.value }),
    saved: (sent, since) =>
      draft.update((last) =>
        last && !isSame(last.value, sent) ? { base: sent, since, value: last.value } : undefined,
      ),
    theirs: isOpen ? { merged, updatedAt: updatedAt ?? '' } : undefined,
    goOn: (next) => draft.edit({ ...fresh, value: shaped<T>(next) }),
  };
}

const rowOf = (value: object): Row => Object.fromEntries(Object.entries(value));

/** A merge of values of one shape has that shape. */
function shaped<T>(value: Row): T;
function shaped(value: Row): unknown {
  return value;
}
