import { checkHttpAddress } from '#config/blocked-ports.js';
import { firstShard, lastShard } from '#core/runtime/shard.js';

/* SVC_SHARDS: `1=http://10.0.0.1:8080,2=http://10.0.0.2:8080`. */

const entry = /^(\d{1,2})=(https?:\/\/[^/?#@\s]+)\/?$/i;

/** Checks one entry of SVC_SHARDS. @throws Error whose message completes “SVC_SHARDS …” */
export function checkShard(text: string): void {
  const [, number, address = ''] = entry.exec(text) ?? [];
  if (!URL.canParse(address))
    throw new Error(
      'must be a list of shards with the address of each, such as 1=http://10.0.0.1:8080,2=http://10.0.0.2:8080',
    );
  if (Number(number) < firstShard || Number(number) > lastShard)
    throw new Error(`must have numbers from ${firstShard} to ${lastShard}, not ${number ?? ''}`);
  checkHttpAddress(address);
}

/** The address of each shard, by its number. @param entries the value of SVC_SHARDS */
export const shardAddresses = (entries: readonly string[]): ReadonlyMap<number, string> =>
  new Map(
    entries.flatMap((text): [number, string][] => {
      const [, number, address] = entry.exec(text) ?? [];
      return address === undefined ? [] : [[Number(number), address]];
    }),
  );

interface ShardSettings {
  shard: unknown;
  shards: unknown;
  newAccountsShard: unknown;
  trustProxy: unknown;
}

/** Why SVC_SHARDS and the settings that belong to it do not fit together; undefined if they do. */
export function shardsProblem({ shard, shards, newAccountsShard, trustProxy }: ShardSettings): string | undefined {
  const entries = Array.isArray(shards) ? shards.map(String) : [];
  const named = shardAddresses(entries);
  if (entries.length === 0)
    return newAccountsShard === undefined
      ? undefined
      : 'SVC_NEW_ACCOUNTS_SHARD names a shard of SVC_SHARDS, which is not set. Set it, or remove SVC_NEW_ACCOUNTS_SHARD.';
  if (named.size < entries.length)
    return 'SVC_SHARDS names a shard twice. Give each shard one address, such as that of a balancer in front of its nodes.';
  if (!named.has(Number(shard)))
    return `SVC_SHARDS does not contain this node’s own shard, ${String(shard)} (SVC_SHARD). Set the same SVC_SHARDS, with all shards, on every node.`;
  const opening = Number(newAccountsShard ?? firstShard);
  if (!named.has(opening))
    return `SVC_SHARDS does not contain shard ${opening}, which opens new accounts. Add it, or set SVC_NEW_ACCOUNTS_SHARD to a shard of the list.`;
  if (named.size > 1 && Array.isArray(trustProxy) && trustProxy.length === 0)
    return 'SVC_SHARDS has other shards, whose nodes pass calls on with the address of the client. Add the addresses of these nodes to SVC_TRUST_PROXY.';
  return undefined;
}
