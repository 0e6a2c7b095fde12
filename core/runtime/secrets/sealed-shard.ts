import { firstShard, ownShard } from '../shard.js';
import { shardCharacter } from './digest.js';

/* Sealed texts in links have no id that can be read without the key, so the shard is named before them. */

/** A sealed text of this shard, in base64url: on shards from 2 on, with the shard's character and a point before it. */
export const withShard = (sealed: string): string =>
  ownShard() === firstShard ? sealed : `${shardCharacter(ownShard())}.${sealed}`;

/** What `withShard` got. @returns undefined for a text of another shard, which this one cannot open */
export function withoutShard(text: string): string | undefined {
  const mark = withShard('');
  return text.startsWith(mark) ? text.slice(mark.length) : undefined;
}
