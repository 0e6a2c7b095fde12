import { stat } from 'node:fs/promises';
import type { Log } from '#core/runtime/log.js';
import { readRates, type Rates } from '../../deployment/rates.js';

const checkedEveryMs = 5_000;

/**
 * The limits of SVC_MAIL_RATES_FILE, and SVC_MAIL_RATE if the file has no limit for all mail. The file is read again
 * when it has changed. If it is then invalid or missing, this is logged, and the limits stay.
 * @returns the limits as they are now
 */
export function watchRates(path: string | undefined, rate: number | undefined, log: Pick<Log, 'warn'>): () => Rates {
  const withRate = (rates: Rates): Rates => ({ ...rates, rate: rates.rate ?? rate });
  if (path === undefined) {
    const fixed = withRate({ rate: undefined, domains: new Map(), otherDomains: undefined });
    return () => fixed;
  }
  let current = withRate(readRates(path));
  let version: string | undefined;
  let dueAt = 0;

  const check = async (): Promise<void> => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const found = `${mtimeMs} ${size} ${ino}`;
      if (found === version) return;
      version = found;
      current = withRate(readRates(path));
    } catch (error) {
      log.warn({ err: error }, 'SVC_MAIL_RATES_FILE is not valid; the previous limits stay in force');
    }
  };
  return () => {
    if (performance.now() >= dueAt) {
      dueAt = performance.now() + checkedEveryMs;
      void check();
    }
    return current;
  };
}
