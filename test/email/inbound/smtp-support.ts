import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { parseJson } from '#core/runtime/json.js';
import { eventually } from '#test/support/eventually.js';
import { at } from '#test/support/json.js';
import type { TestPlatform } from '#test/support/platform.js';

/** The port of the SMTP receiver, which says it in the log. */
export function smtpPort({ logLines }: Pick<TestPlatform, 'logLines'>): number {
  const started = logLines.map(parseJson).findLast((line) => at(line, 'msg') === 'receiving mail by SMTP');
  const port = at(started, 'port');
  if (typeof port !== 'number') throw new Error('The SMTP receiver is not running.');
  return port;
}

interface SmtpResult {
  /** 250 where it was taken. */
  code: number;
  text: string;
  /** Recipients that were refused, with their code. */
  refused: Record<string, number>;
}

/** Sends a message as a mail server does: what is refused is part of the result. */
export async function deliver(
  port: number,
  raw: string | Buffer,
  { to, from = 'ada@example.com', localAddress }: { to: string | string[]; from?: string; localAddress?: string },
): Promise<SmtpResult> {
  const transport = createTransport({ host: '127.0.0.1', port, localAddress, ignoreTLS: true, name: 'mx.example.com' });
  try {
    const { response, rejectedErrors = [] } = await transport.sendMail({ envelope: { from, to }, raw });
    return {
      code: Number(response.slice(0, 3)),
      text: response.slice(4),
      refused: Object.fromEntries(
        rejectedErrors.map((each) => [String(at(each, 'recipient')), Number(at(each, 'responseCode'))]),
      ),
    };
  } catch (error) {
    return { code: Number(at(error, 'responseCode') ?? 0), text: String(at(error, 'response') ?? error), refused: {} };
  }
}

/** A connection that speaks SMTP line by line. */
export interface Dialog {
  /** Sends a line and waits for its reply, of several lines for EHLO. */
  say(line: string): Promise<string>;
  /** Sends without waiting. */
  write(text: string): void;
  /** Sends, and waits until the system has taken all of it: the server has read it but for what sockets buffer. */
  flush(text: string): Promise<void>;
  /** The next reply. */
  heard(): Promise<string>;
  /** Whether the server closed the connection. */
  closed(): Promise<void>;
  end(): void;
}

export async function dialog(port: number, host = '127.0.0.1'): Promise<Dialog & { greeting: string }> {
  const socket: Socket = connect(port, host);
  await once(socket, 'connect');
  let pending = '';
  let closed = false;
  socket.on('data', (bytes) => (pending += bytes.toString('latin1')));
  socket.on('close', () => (closed = true));
  socket.on('error', () => undefined);
  const reply = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/;
  const heard = async (): Promise<string> => {
    await eventually(() => reply.test(pending) || closed, 'a reply');
    const [found = ''] = reply.exec(pending) ?? [];
    pending = pending.slice(found.length);
    return found.trimEnd();
  };
  const greeting = await heard();
  return {
    greeting,
    heard,
    say(line) {
      socket.write(`${line}\r\n`);
      return heard();
    },
    write: (text) => void socket.write(text),
    flush: (text) => new Promise((resolve) => socket.write(text, () => resolve())),
    closed: () => eventually(() => closed, 'the end of the connection'),
    end: () => void socket.destroy(),
  };
}

/** Connects and goes away before the server says anything. */
export async function hangUp(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const over = once(socket, 'close');
  // The server ends its side too once it has seen this end.
  socket.resume().end();
  await over;
}
