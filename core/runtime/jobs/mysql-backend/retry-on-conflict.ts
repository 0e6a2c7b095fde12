import { setTimeout as pause } from 'node:timers/promises';
import { isConflict } from '../../database/errors.js';

const maxAttempts = 3;

/**
 * Runs a statement again after a deadlock or a lock time-out. Agenda ignores a failed save, which would leave the job
 * locked.
 */
export async function retryOnConflict<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await statement();
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error;
      await pause(attempt * 10 + Math.random() * 40);
    }
  }
}
