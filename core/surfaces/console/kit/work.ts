import { signal } from '@preact/signals';
import { followUpOf, inputFrom } from '../../cli/command-catalogue.js';
import { addressOf } from './address.js';
import { acting, catalogue, operationNamed, type Row } from './state.js';
import { textAt } from './value.js';
import { actionTitle, groupOf, productOf } from './words.js';

/*
 * Work that goes on after its call: imports and broadcasts, which the server does, and exports and bulk changes, which
 * this tab does. The tray shows it on every screen. It is kept in the tab, so that a reload does not lose it.
 */

interface Common {
  readonly id: string;
  readonly title: string;
  readonly environmentId: string;
}

/** What the server does; `operation` says how far it is. */
export interface ServerWork extends Common {
  readonly is: 'server';
  readonly operation: string;
  readonly input: Row;
  readonly href: string;
}

/** What this tab does. */
export interface TabWork extends Common {
  readonly is: 'tab';
  readonly done: number;
  readonly total: number;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  /** What came of it, or why it failed. */
  readonly text: string;
}

export type Work = ServerWork | TabWork;

const prefix = 'svc.work.';
const most = 20;

const nameOf = (): string => `${prefix}${acting.value?.environmentId ?? ''}.${acting.value?.member?.id ?? 'key'}`;

const isWork = (value: unknown): value is Work =>
  typeof value === 'object' && value !== null && 'is' in value && 'id' in value && 'title' in value;

/** After a reload, what this tab did has stopped. */
const afterReload = (work: Work): Work =>
  work.is === 'tab' && work.state === 'running'
    ? { ...work, state: 'stopped', text: 'It stopped when the page was loaded again.' }
    : work;

function kept(name: string): readonly Work[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(name) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isWork).map(afterReload) : [];
  } catch {
    return [];
  }
}

const state = signal<{ readonly name: string; readonly works: readonly Work[] }>({ name: '', works: [] });

/** The work of this person in the environment on screen, newest first. */
export function works(): readonly Work[] {
  const name = nameOf();
  if (state.value.name === name) return state.value.works;
  return kept(name);
}

function change(make: (before: readonly Work[]) => readonly Work[]): void {
  const name = nameOf();
  const next = make(works()).slice(0, most);
  state.value = { name, works: next };
  try {
    if (next.length === 0) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, JSON.stringify(next));
  } catch {
    // The storage is full or turned off: it stays until a reload.
  }
}

const add = (work: Work): void => change((before) => [work, ...before.filter(({ id }) => id !== work.id)]);

/** Takes work out of the tray. */
export const dropWork = (id: string): void => change((before) => before.filter((work) => work.id !== id));

/** Forgets all of it, at a sign-out. */
export function forgetWork(): void {
  state.value = { name: '', works: [] };
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
}

/** After a call that succeeded: work that it started and whose progress can be read is shown in the tray. */
export function followWork(name: string, result: Row): void {
  const operation = operationNamed(name);
  const follow = operation && catalogue.value ? followUpOf(operation, catalogue.value) : undefined;
  if (!operation?.followUp || follow?.progress?.total === undefined) return;
  const input = inputFrom(result, operation.followUp.input);
  const [id] = Object.values(input);
  if (typeof id !== 'string') return;
  const [thing = ''] = Object.values(operation.followUp.input)[0]?.split('.') ?? [];
  const called = textAt(result, `${thing}.name`);
  add({
    is: 'server',
    id,
    title: called === '' ? actionTitle(operation) : `${actionTitle(operation)} “${called}”`,
    environmentId: acting.value?.environmentId ?? '',
    operation: follow.name,
    input,
    href: addressOf([productOf(follow), ...groupOf(follow).split('.'), id]),
  });
}

const running = new Map<string, AbortController>();

/** Ends work of this tab. */
export const stopWork = (id: string): void => running.get(id)?.abort();

/**
 * Does something that takes long in this tab, with its progress in the tray on every screen.
 * @param run calls `report` as it gets on, ends if `signal` is aborted, and returns what came of it, as a sentence
 */
export async function runWork(
  title: string,
  run: (report: (done: number, total: number) => void, signal: AbortSignal) => Promise<string>,
): Promise<void> {
  const id = crypto.randomUUID();
  const controller = new AbortController();
  running.set(id, controller);
  const environmentId = acting.value?.environmentId ?? '';
  const set = (changed: Partial<Pick<TabWork, 'done' | 'total' | 'state' | 'text'>>): void =>
    change((before) => before.map((work) => (work.id === id && work.is === 'tab' ? { ...work, ...changed } : work)));
  add({ is: 'tab', id, title, environmentId, done: 0, total: 0, state: 'running', text: '' });
  try {
    const text = await run((done, total) => set({ done, total }), controller.signal);
    set({ state: controller.signal.aborted ? 'stopped' : 'done', text });
  } catch (error) {
    const stopped = controller.signal.aborted;
    set({
      state: stopped ? 'stopped' : 'failed',
      text: error instanceof Error && !stopped ? error.message : 'Stopped.',
    });
  } finally {
    running.delete(id);
  }
}
