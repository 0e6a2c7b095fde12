import { useReducer, useRef } from 'preact/hooks';
import { acting, catalogue } from './state.js';

/*
 * What somebody types is kept in their tab until it is saved: a click in the navigation, a reload, the way back and
 * another environment lose nothing. Forms keep their values with `useDraft` in place of `useState`; a test fails for a
 * form that does not (test/console/drafts-everywhere.test.ts).
 */

const prefix = 'svc.draft.';
const keptMs = 24 * 3_600_000;

/** What is not stored, such as secrets and large files. A reload would lose it, so the browser asks first. */
const unstored = new Map<string, unknown>();
addEventListener('beforeunload', (event) => {
  if (unstored.size > 0) event.preventDefault();
});

export interface Draft<T> {
  /** What was typed; undefined if nothing was. */
  readonly value: T | undefined;
  /** When it was typed, if that was before this screen was opened. */
  readonly keptAt: Date | undefined;
  /** Replaces it. Undefined drops it: it is saved, or not wanted. */
  readonly edit: (next: T | undefined) => void;
  /** The same, by what is there now: more may have been typed while a call ran. */
  readonly update: (change: (now: T | undefined) => T | undefined) => void;
  /** Forgets what is kept, once it is saved: a reload no longer brings it back. The value on screen stays. */
  readonly forget: () => void;
}

interface Stored<T> {
  readonly at: number;
  readonly version: string;
  readonly value: T;
}

/** By environment and person: nobody else who signs in in this tab sees it, and no other environment. */
const nameOf = (record: string): string =>
  `${prefix}${acting.value?.environmentId ?? ''}.${acting.value?.member?.id ?? 'key'}.${record}`;

/**
 * What a form contains, kept in the tab.
 * @param record what is edited, such as `segment <id>`
 * @param isKept false for what is not stored, only remembered until a reload: secrets and large files
 */
export function useDraft<T extends object | string>(
  record: string,
  isKept: (value: T) => boolean = () => true,
): Draft<T> {
  const name = nameOf(record);
  const state = useRef<{ readonly name: string; readonly value: T | undefined; readonly keptAt: Date | undefined }>(
    undefined,
  );
  const [, draw] = useReducer((count: number) => count + 1, 0);
  if (state.current?.name !== name) {
    const kept = read<T>(name);
    state.current = { name, value: kept?.value, keptAt: kept && new Date(kept.at) };
  }
  const { value, keptAt } = state.current;
  const edit = (next: T | undefined): void => {
    state.current = { name, value: next, keptAt: next === undefined ? undefined : state.current?.keptAt };
    // At once, not in an effect: the screen may be left in the same moment.
    write(name, next, next !== undefined && isKept(next));
    draw(undefined);
  };
  return {
    value,
    keptAt,
    edit,
    update: (change) => edit(change(state.current?.value)),
    forget: () => write(name, undefined, false),
  };
}

interface FormFields<T> {
  readonly values: T;
  readonly set: (changed: Partial<T>) => void;
  /** When it is done, or not wanted. */
  readonly clear: () => void;
}

/** The fields of a form, kept as by `useDraft`. @param start what they contain at first */
export function useFields<T extends object>(record: string, start: T, isKept?: (value: T) => boolean): FormFields<T> {
  const draft = useDraft<T>(record, isKept);
  const values = draft.value ?? start;
  return {
    values,
    set: (changed) => draft.update((now) => ({ ...(now ?? start), ...changed })),
    clear: () => draft.edit(undefined),
  };
}

function read<T>(name: string): Stored<T> | undefined;
function read(name: string): unknown {
  try {
    const stored: unknown = unstored.get(name) ?? JSON.parse(sessionStorage.getItem(name) ?? 'null');
    return isStored(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Another version of the console may have stored another form. */
const isStored = (stored: unknown): stored is Stored<unknown> =>
  typeof stored === 'object' &&
  stored !== null &&
  'value' in stored &&
  'at' in stored &&
  typeof stored.at === 'number' &&
  Date.now() - stored.at < keptMs &&
  'version' in stored &&
  stored.version === catalogue.value?.version;

function write(name: string, value: unknown, isKept: boolean): void {
  const stored = { at: Date.now(), version: catalogue.value?.version, value };
  unstored.delete(name);
  try {
    if (value === undefined || !isKept) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(stored));
    if (value !== undefined && !isKept) unstored.set(name, stored);
  } catch {
    // The storage is full or turned off.
    unstored.set(name, stored);
  }
}

/** Forgets everything that was typed and not saved, at a sign-out. */
export function forgetDrafts(): void {
  unstored.clear();
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}
