import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { domainToASCII } from 'node:url';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  envelopeFrom: string;
  /** The accepted recipients, as sent in RCPT TO. */
  recipients: string[];
  raw: Buffer;
  parsed: Email;
}

export interface SmtpReply {
  code: number;
  message: string;
}

export interface ReceiverOptions {
  /** Answers MAIL FROM; null accepts. */
  onSender?: (address: string) => SmtpReply | null;
  /** Answers RCPT TO; null accepts. */
  onRecipient?: (address: string) => SmtpReply | null;
  /** Answers the end of DATA, immediately or later; null accepts. A refused mail is not in `received`. */
  onMessage?: (mail: ReceivedMail) => SmtpReply | null | Promise<SmtpReply | null>;
  greetingDelayMs?: number;
  /** Does not answer: no greeting on new connections, no reply to the next command on open ones. */
  hang?: boolean;
  /** Requires this login before MAIL FROM. `url` contains it. */
  login?: { user: string; password: string };
  /** Announces and enforces this maximum message size (RFC 1870). */
  size?: number;
}

export interface SmtpReceiver {
  readonly url: string;
  readonly port: number;
  /** Accepted mail, oldest first; complete before the sender gets 250. A test may empty it. */
  readonly received: ReceivedMail[];
  /** The four below may be replaced at any time. */
  onSender: (address: string) => SmtpReply | null;
  onRecipient: (address: string) => SmtpReply | null;
  onMessage: (mail: ReceivedMail) => SmtpReply | null | Promise<SmtpReply | null>;
  hang: boolean;
  /** How many connections have been opened so far. */
  connections(): number;
  /**
   * Waits until this many mails have arrived, or until the predicate is true (it is called after each mail).
   * @throws Error after `withinMs` (10 s), stating how many mails there are
   */
  waitFor(what: number | ((received: ReceivedMail[]) => boolean), withinMs?: number): Promise<ReceivedMail[]>;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * A real SMTP server on a free port of 127.0.0.1, without TLS. Its greeting takes 100 ms (smtp-server detects
 * clients that send too early).
 * @returns the receiver, listening; close it in `after`
 */
export const startSmtpReceiver = async (options: ReceiverOptions = {}): Promise<SmtpReceiver> => {
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let opened = 0;
  const unlessHanging = (go: () => void): void => {
    if (!receiver.hang) go();
  };

  const server = new SMTPServer({
    disabledCommands: options.login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    allowInsecureAuth: true,
    closeTimeout: 1000,
    size: options.size,
    rejectOversized: true,
    onConnect: (_session, done) => {
      setTimeout(() => unlessHanging(done), options.greetingDelayMs ?? 0);
    },
    onAuth: ({ username, password }, _session, done) => {
      const known = username === options.login?.user && password === options.login?.password;
      done(known ? null : refusal({ code: 535, message: '5.7.8 authentication failed' }), { user: username });
    },
    onMailFrom: ({ address }, _session, done) => unlessHanging(() => done(refusal(receiver.onSender(address)))),
    onRcptTo: ({ address }, _session, done) => unlessHanging(() => done(refusal(receiver.onRecipient(wire(address))))),
    onData: (stream, session, done) => {
      const judged = readMail(stream, session).then(async (mail) => ({ mail, reply: await receiver.onMessage(mail) }));
      void judged.then(
        ({ mail, reply }) => {
          if (reply === null && !stream.sizeExceeded) received.push(mail);
          unlessHanging(() => done(refusal(reply)));
          for (const check of [...waiting]) check();
        },
        (error: unknown) => done(refusal({ code: 554, message: `the receiver failed: ${String(error)}` })),
      );
    },
  });
  server.on('error', () => undefined); // a client that closes its connection does not fail the test
  server.server.on('connection', (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const port = portOf(server.server);
  const login = options.login
    ? `${encodeURIComponent(options.login.user)}:${encodeURIComponent(options.login.password)}@`
    : '';

  const receiver: SmtpReceiver = {
    url: `smtp://${login}127.0.0.1:${port}`,
    port,
    received,
    onSender: options.onSender ?? (() => null),
    onRecipient: options.onRecipient ?? (() => null),
    onMessage: options.onMessage ?? (() => null),
    hang: options.hang ?? false,
    connections: () => opened,
    waitFor: (what, withinMs = 10_000) =>
      new Promise((resolve, reject) => {
        const holds = typeof what === 'number' ? () => received.length >= what : () => what(received);
        const check = (): void => {
          if (holds()) settle(() => resolve([...received]));
        };
        const settle = (finish: () => void): void => {
          clearTimeout(deadline);
          waiting.delete(check);
          finish();
        };
        const deadline = setTimeout(() => {
          const wanted = typeof what === 'number' ? `${what} mails` : 'the mail asked for';
          settle(() => reject(new Error(`waited ${withinMs} ms for ${wanted}; received ${received.length}`)));
        }, withinMs);
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  };
  return receiver;
};

const refusal = (reply: SmtpReply | null): Error | null =>
  reply && Object.assign(new Error(reply.message), { responseCode: reply.code });

// smtp-server shows domains in Unicode; on the wire they are ASCII.
const wire = (address: string): string => {
  const at = address.lastIndexOf('@') + 1;
  return at === 0 ? address : address.slice(0, at) + domainToASCII(address.slice(at));
};

const readMail = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<ReceivedMail> => {
  const raw = await buffer(stream);
  const { mailFrom, rcptTo } = session.envelope;
  return {
    envelopeFrom: mailFrom ? wire(mailFrom.address) : '',
    recipients: rcptTo.map(({ address }) => wire(address)),
    raw,
    parsed: await PostalMime.parse(raw),
  };
};

/** The reply to a line: null for none, undefined for a normal server's reply. */
export type ScriptedReply = (line: string, socket: Socket) => string | null | undefined;

/**
 * A server that misbehaves in ways that a real one cannot. It answers line by line; after a 354 the whole message
 * counts as the line `.`.
 * @param replies by verb, or a function of the line and its connection (to cut it, say)
 * @returns its port on 127.0.0.1; close it afterwards
 */
export const startScriptedSmtp = async (
  replies: Record<string, string> | ScriptedReply,
  greeting = '220 ready',
): Promise<{ port: number; close(): Promise<void> }> => {
  const sockets = new Set<Socket>();
  const answerTo = (line: string, socket: Socket): string | null => {
    const verb = /^(?:\w+|\.)/.exec(line)?.[0].toUpperCase() ?? '';
    const answer = typeof replies === 'function' ? replies(line, socket) : replies[verb];
    return answer === undefined ? (verb === 'DATA' ? '354 go on' : '250 fine') : answer;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.setNoDelay(true);
    socket.write(`${greeting}\r\n`);
    let pending = '';
    let ending = '\r\n';
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      for (let at = pending.indexOf(ending); at >= 0; at = pending.indexOf(ending)) {
        const line = ending === '\r\n' ? pending.slice(0, at) : '.';
        pending = pending.slice(at + ending.length);
        const answer = answerTo(line, socket);
        ending = answer?.startsWith('354') ? '\r\n.\r\n' : '\r\n';
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
};

const portOf = (server: Server): number => {
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return bound.port;
};
