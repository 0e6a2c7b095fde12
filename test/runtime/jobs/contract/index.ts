import type { Store } from '#test/runtime/jobs/support.js';
import { agendaContract } from './agenda.js';
import { choosingContract } from './choosing.js';
import { findingContract } from './finding.js';
import { holdingContract } from './holding.js';
import { lockingContract } from './locking.js';
import { mergingContract } from './merging.js';
import { savingContract } from './saving.js';

/**
 * All that jobs promise, whatever keeps them: the 16 methods of Agenda's repository, and two Agendas at work on them.
 */
export function jobsContract(open: () => Promise<Store>): void {
  for (const contract of [
    savingContract,
    mergingContract,
    findingContract,
    choosingContract,
    lockingContract,
    holdingContract,
  ]) {
    contract(open);
  }
  describe('Agenda', () => agendaContract(open));
}
