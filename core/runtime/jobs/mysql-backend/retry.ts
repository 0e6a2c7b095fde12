import { setTimeout as pause } from 'node:timers/promises';
import { isConflict } from '#core/runtime/database/errors.js';

const tries = 3;

/**
 * Runs one statement again after a deadlock or a lock time-out. Agenda swallows a failed save, and the job would stay
 * locked.
 */
export async function patiently<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await statement();
    } catch (error) {
      if (attempt === tries || !isConflict(error)) throw error;
      await pause(attempt * 10 + Math.random() * 40);
    }
  }
}
