import { operationNamed } from './state.js';

/*
 * The console allows old answers where the interface offers them (Svc-Max-Age), so that replicas answer its lists
 * and statistics. An answer may be as old as the last write of this browser, so that people see what they have done.
 */

/** Shared by all tabs. */
const wroteName = 'svc.wrote-at';

/** What other people do may be seen that many seconds later. */
const mostSeconds = 30;

/** To be called before a call that writes and after it. */
export const noteWrite = (): void => localStorage.setItem(wroteName, String(Date.now()));

/** How old the answer of an operation may be, in seconds; undefined if it offers no old answers. */
export function maxAgeOf(operation: string): number | undefined {
  if (operationNamed(operation)?.mayBeOld !== true) return undefined;
  const seconds = Math.floor((Date.now() - Number(localStorage.getItem(wroteName))) / 1000) - 1;
  return Math.max(0, Math.min(mostSeconds, seconds));
}
