import { holder, type Holder } from '#core/runtime/holder.js';
import { isTenant, type Caller } from '../caller/caller.js';
import { turnsOf } from '../caller/share.js';
import { addressGroup } from './address-group.js';

/**
 * Whose share a call uses: that of its account, then of its environment, its key, and, if anybody may have the key, the
 * client's address. All calls without a key have one share, in which addresses take turns: a stranger who has many
 * addresses must not have many shares beside the accounts.
 */
export function holderOf(caller: Caller): Holder {
  if (!isTenant(caller)) return strangerHolder(caller.request.ip);
  const key = [...keyPath(turnsOf(caller.environment)), caller.lineage] as const;
  return caller.publishable ? holder(...key, addressGroup(caller.request.ip)) : holder(...key);
}

const keyPath = ([account, environment, ...rest]: Holder): readonly [string, string, ...string[]] => [
  account,
  environment,
  ...rest,
];

/** Whose share a request uses if nothing but its address is known. */
export const strangerHolder = (ip: string): Holder => holder('strangers', addressGroup(ip));
