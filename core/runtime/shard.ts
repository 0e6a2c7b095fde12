/*
 * A deployment may spread its accounts over several databases, its shards, which are numbered from 1. Ids and tokens
 * name the shard that made them, so that a node finds the shard of a call without reading a database
 * (docs/decisions/0142-one-address-for-several-shards.md). Those of shard 1 look as they always have.
 */

/** A token names its shard with one of 62 characters. */
export const lastShard = 62;
export const firstShard = 1;

let own = firstShard;
let isOneOfSeveral = false;

/** The shard of this process: it serves one database. */
export const ownShard = (): number => own;

/**
 * Sets the shard of this process, before it makes an id or a token.
 * @param shard SVC_SHARD
 * @param hasOthers whether other shards have the same address (SVC_SHARDS)
 */
export function setOwnShard(shard: number, hasOthers = false): void {
  own = shard;
  isOneOfSeveral = shard !== firstShard || hasOthers;
}

/** The query parameter that names the shard of an address that contains no id or token. */
export const shardParameter = 'shard';

/**
 * An address of this shard, for addresses that contain no id or token: `/console?shard=2`.
 * @param address an address or URL; it stays as it is if there is only shard 1
 */
export function atOwnShard(address: string): string {
  if (!isOneOfSeveral) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${shardParameter}=${own}`;
}
