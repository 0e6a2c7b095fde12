import type { TableSize } from '#core/runtime/database/server/table-sizes.js';

/** The result of one check. */
export interface Finding {
  /** The subject of the check: `server`, `key`. */
  readonly check: string;
  /** `warning`: it works, but should be changed; `skipped`: it cannot be checked from this machine. */
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly message: string;
  /** The next step for a problem or a warning. */
  readonly fix?: string;
  /** The largest tables of the database, of the check `tables`. */
  readonly tables?: readonly TableSize[];
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const skipped = (check: string, message: string): Finding => ({ check, status: 'skipped', message });
export const warning = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'warning',
  message,
  fix,
});
export const problem = (check: string, message: string, fix: string): Finding => ({
  check,
  status: 'problem',
  message,
  fix,
});
