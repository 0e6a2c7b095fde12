/** Bytes that arrive in pieces of any size. */
interface CollectedBytes {
  add(piece: Buffer): void;
  /** Everything that was added, in one buffer. */
  whole(): Buffer;
}

const smallestBlock = 4 * 1024;
const largestBlock = 1024 * 1024;

/**
 * Collects bytes. Pieces are copied into blocks, because each would take about 250 bytes of overhead: a body of a
 * million chunks of one byte took 250 MB (measured). A single piece is kept as it is.
 */
export function collectBytes(): CollectedBytes {
  let only: Buffer | undefined;
  const full: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  let size = 0;

  const copy = (piece: Buffer): void => {
    for (let from = 0; from < piece.length;) {
      if (used === block.length) {
        if (used > 0) full.push(block);
        block = Buffer.allocUnsafe(Math.min(largestBlock, Math.max(smallestBlock, size)));
        used = 0;
      }
      const copied = piece.copy(block, used, from);
      used += copied;
      from += copied;
      size += copied;
    }
  };

  return {
    add(piece) {
      if (only === undefined && size === 0) {
        only = piece;
        return;
      }
      if (only) copy(only);
      only = undefined;
      copy(piece);
    },
    whole: () => only ?? Buffer.concat([...full, block.subarray(0, used)]),
  };
}
