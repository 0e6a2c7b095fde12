import { expect } from 'chai';
import { validate, version } from 'uuid';
import { firstIdAt, idBytes, newId, shardOfId } from '#core/runtime/id.js';
import { randomToken, shardCharacter, shardOfCharacter, shardOfToken } from '#core/runtime/secrets/digest.js';
import { ownShard, setOwnShard } from '#core/runtime/shard.js';
import { invoiceIdOf } from '#plugins/billing/invoices/ids.js';

const shards = Array.from({ length: 62 }, (_, index) => index + 1);

describe('What a shard makes', () => {
  const before = ownShard();
  afterEach(() => setOwnShard(before));

  it('are ids that name it: of version 7 on the first shard, of version 8 on the others', () => {
    for (const shard of shards) {
      setOwnShard(shard);
      const id = newId();
      expect([validate(id), version(id), shardOfId(id), shardOfId(id.toUpperCase())]).to.deep.equal([
        true,
        shard === 1 ? 7 : 8,
        shard,
        shard,
      ]);
    }
  });

  it('are ids that sort by their time, whatever their shard', () => {
    const ids: string[] = [];
    for (let count = 0; count < 20_000; count += 1) {
      setOwnShard(1 + (count % 62));
      ids.push(newId());
    }
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids.every((id, index) => index === 0 || id.slice(0, 13) >= (ids[index - 1] ?? '').slice(0, 13))).to.equal(
      true,
    );
    setOwnShard(9);
    const own = Array.from({ length: 20_000 }, newId);
    expect(own.every((id, index) => index === 0 || id > (own[index - 1] ?? ''))).to.equal(true);
    expect(idBytes(newId()).compare(firstIdAt(new Date(Date.now() - 60_000)))).to.equal(1);
    expect(idBytes(newId()).compare(firstIdAt(new Date(Date.now() + 60_000)))).to.equal(-1);
  });

  it('is nothing in an id of another system', () => {
    for (const id of [
      'f47ac10b-58cc-4372-a567-0e02b2c3d479',
      '01890a5d-ac96-874b-bcce-b302099a80ff',
      // A digest as a UUIDv8, as the ids of older invoices.
      'f47ac10b-58cc-8372-a567-0e02b2c3d402',
    ])
      expect(shardOfId(id)).to.equal(1);
  });

  it('are ids of invoices that name it, although they are digests', () => {
    for (const shard of shards) {
      setOwnShard(shard);
      const account = newId();
      const ids = Array.from({ length: 12 }, (_, month) => invoiceIdOf(account, `2026-${month + 1}`));
      expect(new Set(ids.map(shardOfId))).to.deep.equal(new Set([shard]));
      expect(new Set(ids).size).to.equal(12);
    }
  });

  it('are tokens that name it, of the same length and alphabet', () => {
    for (const shard of shards) {
      setOwnShard(shard);
      for (const length of [40, 43, 64]) {
        const token = randomToken(length);
        expect(token).to.match(new RegExp(`^[A-Za-z0-9]{${length}}$`));
        expect(shardOfToken(token)).to.equal(shard);
        const changed = token.endsWith('x') ? `${token.slice(0, -1)}y` : `${token.slice(0, -1)}x`;
        expect(shardOfToken(changed)).to.equal(1);
      }
      expect(shardOfCharacter(shardCharacter(shard))).to.equal(shard);
    }
    for (const no of ['', '-', 'ab']) expect(shardOfCharacter(no)).to.equal(undefined);
  });

  it('does not mark short codes, and no token of the first shard is taken for another’s', () => {
    setOwnShard(2);
    const starts = new Set(Array.from({ length: 200 }, () => randomToken(39).charAt(0)));
    expect(starts.size).to.be.greaterThan(20);
    setOwnShard(1);
    for (let count = 0; count < 20_000; count += 1) expect(shardOfToken(randomToken(43))).to.equal(1);
    expect(shardOfToken('')).to.equal(1);
  });
});
