import { holder, type Holder } from '#core/runtime/holder.js';
import type { Turns } from '#core/runtime/turn-tree.js';
import type { Environment } from './caller.js';

/**
 * The holders that take turns for work of an environment, outermost first: accounts, then the live environments of an
 * account, and its test environments as one. An account may have a hundred environments, so turns of environments alone
 * would give it a hundred turns.
 */
export const turnsOf = ({ id, accountId, kind }: Pick<Environment, 'id' | 'accountId' | 'kind'>): Holder =>
  kind === 'live' ? holder(accountId, id) : holder(accountId, 'test', id);

/** The turns of work for many recipients, which lets single messages of the same environment pass. */
export const bulkTurns = (turns: Turns): Turns => [...turns, 'bulk'];
