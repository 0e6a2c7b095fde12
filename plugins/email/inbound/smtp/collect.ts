import type { SMTPServerDataStream } from 'smtp-server';
import { collectBytes } from '#core/runtime/collected-bytes.js';

/** Bytes of messages that arrive at the same time, in this process: of all clients, and of one client. */
const mostBytes = 128 * 1024 * 1024;
const mostBytesOfClient = mostBytes / 4;
let held = 0;
const heldBy = new Map<string, number>();

/** The messages of all clients, or of this one, use too much memory to accept another one. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/** The message is larger than the server announced (RFC 1870). */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** Who sends a message. */
export interface Client {
  /** Those with the same key share the memory of one. */
  readonly key: string;
  /** What they have in common, for the refusal. */
  readonly name: 'address' | 'account';
}

/**
 * Reads a message and passes it to `use`. Data beyond a limit is read and dropped, so that the sender gets an answer.
 * @param client whose share of the memory it uses
 * @throws TooLarge, NoRoom; the stream's error if the sender disconnected
 */
export async function collected<T>(
  stream: SMTPServerDataStream,
  client: Client,
  limit: number,
  use: (raw: Buffer) => Promise<T>,
): Promise<T> {
  let bytes = collectBytes();
  let size = 0;
  let problem: Error | undefined;
  const release = (): void => {
    hold(client.key, -size);
    size = 0;
    bytes = collectBytes();
  };
  try {
    for await (const chunk of stream) {
      if (problem || !Buffer.isBuffer(chunk)) continue;
      size += chunk.length;
      const heldByClient = hold(client.key, chunk.length);
      bytes.add(chunk);
      if (size > limit) problem = new TooLarge('The message is too large.');
      else if (heldByClient > mostBytesOfClient)
        problem = new NoRoom(`Too much mail is arriving from your ${client.name} at once`);
      else if (held > mostBytes) problem = new NoRoom('Too much mail is arriving at once');
      if (problem) release();
    }
    if (problem) throw problem;
    return await use(bytes.whole());
  } finally {
    release();
  }
}

/** Counts bytes of a client's messages, or negative ones that are no longer held. @returns how many it holds now */
function hold(client: string, bytes: number): number {
  held += bytes;
  const now = (heldBy.get(client) ?? 0) + bytes;
  if (now === 0) heldBy.delete(client);
  else heldBy.set(client, now);
  return now;
}
