import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { collectBytes } from '#core/runtime/collected-bytes.js';

describe('Bytes that arrive in pieces', () => {
  it('come out in one buffer, whatever the sizes of the pieces', () => {
    for (const sizes of [[], [0], [5], [0, 7], [1, 1, 1], [4_096, 1], [1, 5_000, 0, 3_000_000, 2], [70_000, 70_000]]) {
      const pieces = sizes.map((size) => randomBytes(size));
      const bytes = collectBytes();
      pieces.forEach(bytes.add);
      expect(bytes.whole().equals(Buffer.concat(pieces)), sizes.join(', ')).to.equal(true);
    }
  });
});
