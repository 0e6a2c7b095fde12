import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.js';

/** A connection for requests that no HTTP client sends. */
export interface RawConnection {
  readonly socket: Socket;
  write(bytes: string | Buffer): void;
  /** Waits for the `count`th complete response on this connection. */
  answer(count?: number): Promise<RawHttpAnswer>;
  /** Waits until the server has closed the connection. */
  closed(): Promise<void>;
}

export interface RawHttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Parses the complete responses (with a Content-Length) in the received bytes. */
function answersIn(received: Buffer): RawHttpAnswer[] {
  const answers: RawHttpAnswer[] = [];
  for (let rest = received.toString('latin1'); ;) {
    const head = /^HTTP\/1\.1 (\d+)[^\r]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest);
    if (!head) return answers;
    const lines = (head[2] ?? '')
      .trim()
      .split('\r\n')
      .map((line) => /^([^:]+):\s*(.*)$/.exec(line));
    const headers = Object.fromEntries(lines.map((line) => [line?.[1]?.toLowerCase() ?? '', line?.[2] ?? '']));
    const status = Number(head[1]);
    const end = head[0].length + (status === 100 ? 0 : Number(headers['content-length'] ?? 0));
    if (rest.length < end) return answers;
    if (status !== 100) answers.push({ status, headers, body: rest.slice(head[0].length, end) });
    rest = rest.slice(end);
  }
}

export async function openConnection(address: string): Promise<RawConnection> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  let received = Buffer.alloc(0);
  const facts = { ended: false, broken: '' };
  socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])));
  socket.on('error', (error) => (facts.broken = error.message));
  socket.on('close', () => (facts.ended = true));
  await eventually(() => socket.readyState === 'open' || facts.ended, 'a connection');
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    async answer(count = 1) {
      await eventually(() => answersIn(received).length >= count || facts.ended, `answer ${count}`);
      const found = answersIn(received)[count - 1];
      if (!found)
        throw new Error(`The connection ended before answer ${count}: ${facts.broken} ${received.toString()}`);
      return found;
    },
    closed: () => eventually(() => facts.ended, 'the end of the connection'),
  };
}

/** The head of a POST request. */
export const postHead = (path: string, headers: Readonly<Record<string, string | number>>): string =>
  `POST ${path} HTTP/1.1\r\nHost: svc\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
