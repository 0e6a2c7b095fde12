import type { Store } from '#test/runtime/jobs/support.js';
import { agendaContract } from './agenda.js';
import { choosingContract } from './choosing.js';
import { findingContract } from './finding.js';
import { holdingContract } from './holding.js';
import { lockingContract } from './locking.js';
import { mergingContract } from './merging.js';
import { savingContract } from './saving.js';

/**
 * The contract of every store of jobs: the 16 methods of Agenda's repository, and two Agendas on one store.
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
