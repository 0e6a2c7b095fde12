import type { Socket } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import type { OutgoingMail, Sent } from './outgoing.js';

/*
 * The transfer of messages over a connection whose server accepts several commands together (PIPELINING, RFC 2920): the
 * envelope with DATA is sent in one write, the message in another. nodemailer opens the connection and logs in. Its own
 * transfer pipes each message through several streams, which takes several times as long (measured).
 */

/** What the server offers and allows, according to its EHLO reply (RFC 5321 §4.1.1.1). */
interface ServerExtensions {
  readonly pipelining: boolean;
  readonly eightBit: boolean;
  readonly size: boolean;
  /** In octets (RFC 1870); 0 without a limit. */
  readonly maxSize: number;
}

/** @param ehlo the server's reply to EHLO */
export function extensionsOf(ehlo: string): ServerExtensions {
  const size = /^250[ -]SIZE(?: +(\d+))? *$/im.exec(ehlo);
  return {
    pipelining: /^250[ -]PIPELINING\b/im.test(ehlo),
    eightBit: /^250[ -]8BITMIME\b/im.test(ehlo),
    size: size !== null,
    maxSize: Number(size?.[1] ?? 0),
  };
}

export interface Transfer {
  /**
   * Submits one message; one at a time.
   * @param onContent called before its first octet is sent
   * @throws the server's answer, as nodemailer's error
   */
  send(mail: OutgoingMail, onContent: () => void): Promise<Sent>;
  /** Ends the rest of a refused message. @returns whether the server agreed */
  reset(): Promise<boolean>;
  /** Rejects everything that the server has not answered. */
  fail(error: Error): void;
}

interface Waiting {
  readonly resolve: (reply: string) => void;
  readonly reject: (error: Error) => void;
}

/**
 * @param socket open and logged in; nothing else reads from it
 * @param onUnexpected called if the server sends an unrequested reply, or never ends its answer: the connection is
 * unusable
 */
export function pipelinedTransfer(socket: Socket, extensions: ServerExtensions, onUnexpected: () => void): Transfer {
  const waiting: Waiting[] = [];
  const read = replyReader((reply) => {
    const next = waiting.shift();
    if (next) next.resolve(reply);
    else onUnexpected();
  }, onUnexpected);
  socket.on('data', read);
  const reply = (): Promise<string> => new Promise((resolve, reject) => waiting.push({ resolve, reject }));

  return {
    async send({ envelope: { from, to, size, use8BitMime }, raw }, onContent) {
      if (extensions.maxSize > 0 && size > extensions.maxSize)
        throw mailError(`Message size larger than allowed ${extensions.maxSize}`, 'EMESSAGE', 'MAIL FROM');
      const sizeGiven = extensions.size ? ` SIZE=${size}` : '';
      const bodyGiven = use8BitMime && extensions.eightBit ? ' BODY=8BITMIME' : '';
      const replies = Promise.all([reply(), ...to.map(reply), reply()]);
      const recipients = to.map((address) => `RCPT TO:<${address}>\r\n`).join('');
      socket.write(`MAIL FROM:<${from}>${bodyGiven}${sizeGiven}\r\n${recipients}DATA\r\n`, 'latin1');
      const answers = await replies;
      const envelope = readEnvelope(to, answers);
      const withRefusals = (error: NodemailerError): NodemailerError =>
        Object.assign(error, { rejectedErrors: [...envelope.refused] });
      const data = answers.at(-1) ?? '';
      if (envelope.error) {
        if (!/^[23]/.test(data)) throw envelope.error;
        // A server that accepts a message for no recipient gets an empty one; a server that had refused the sender is
        // unusable.
        if (!answers[0].startsWith('2')) onUnexpected();
        else await ask('.\r\n');
        throw envelope.error;
      }
      // RFC 5321 §4.3.2 requires 354; some servers answer 250.
      if (!/^[23]/.test(data)) throw withRefusals(mailError('Data command failed', 'EENVELOPE', 'DATA', data));
      onContent();
      const response = reply();
      socket.write(dataOf(raw));
      const answer = await response;
      if (!answer.startsWith('2')) throw withRefusals(mailError('Message failed', 'EMESSAGE', 'DATA', answer));
      return { accepted: envelope.accepted, rejectedErrors: envelope.refused, response: answer };
    },
    reset: () =>
      ask('RSET\r\n').then(
        (answer) => answer.startsWith('2'),
        () => false,
      ),
    fail(error) {
      for (const each of waiting.splice(0)) each.reject(error);
    },
  };

  function ask(command: string): Promise<string> {
    const answer = reply();
    socket.write(command, 'latin1');
    return answer;
  }
}

interface Envelope {
  readonly accepted: readonly string[];
  readonly refused: readonly NodemailerError[];
  /** Why nothing can be sent. */
  readonly error: NodemailerError | undefined;
}

/** @param answers to MAIL FROM, to each RCPT TO, and to DATA */
function readEnvelope(to: readonly string[], [mail = '', ...others]: readonly string[]): Envelope {
  if (!mail.startsWith('2'))
    return { accepted: [], refused: [], error: mailError('Mail command failed', 'EENVELOPE', 'MAIL FROM', mail) };
  const accepted = to.filter((_, index) => others[index]?.startsWith('2'));
  if (accepted.length === to.length) return { accepted, refused: [], error: undefined };
  const refused = to.flatMap((recipient, index) => {
    const answer = others[index] ?? '';
    if (answer.startsWith('2')) return [];
    return [Object.assign(mailError('Recipient command failed', 'EENVELOPE', 'RCPT TO', answer), { recipient })];
  });
  if (accepted.length > 0) return { accepted, refused, error: undefined };
  // A temporary refusal takes precedence: the message is worth another attempt.
  const worst = refused.find(({ responseCode = 0 }) => responseCode < 500) ?? refused.at(-1);
  const text = 'Can’t send mail: all recipients were rejected';
  const error = Object.assign(mailError(text, 'EENVELOPE', 'RCPT TO', worst?.response ?? ''), {
    rejectedErrors: refused,
  });
  return { accepted, refused, error };
}

/** An error in nodemailer's form. */
function mailError(text: string, code: string, command: string, response = ''): NodemailerError {
  const responseCode = Number(/^\d{3}/.exec(response)?.[0] ?? 0);
  return Object.assign(new Error(response === '' ? text : `${text}: ${response}`), {
    code,
    command,
    ...(response === '' ? {} : { response }),
    ...(responseCode === 0 ? {} : { responseCode }),
  });
}

const end = Buffer.from('.\r\n');
const [lineFeed, carriageReturn] = [0x0a, 0x0d];
/**
 * Only a message that contains one of these needs a closer check: a line that begins with a dot, or half of a line end.
 */
const special = /\n\.|^\.|\r(?!\n)|(?<!\r)\n/;

/**
 * A message in the form for DATA (RFC 5321 §4.1.1.4, §4.5.2): dots at the beginning of lines are doubled, and a line
 * with one dot ends it. A single CR or LF becomes CRLF, because a receiver could interpret it as the end of a line, and
 * the following text as commands.
 */
function dataOf(raw: Buffer): Buffer {
  const text = raw.toString('latin1');
  if (!special.test(text)) {
    const endsLine = raw.at(-1) === lineFeed && raw.at(-2) === carriageReturn;
    return Buffer.concat(endsLine ? [raw, end] : [raw, Buffer.from('\r\n'), end]);
  }
  const lines = text.replaceAll(/\r\n|\r|\n/g, '\r\n').replaceAll('\r\n.', '\r\n..');
  return Buffer.from(
    `${lines.startsWith('.') ? '.' : ''}${lines}${lines.endsWith('\r\n') ? '' : '\r\n'}.\r\n`,
    'latin1',
  );
}

/** A server with a longer answer is cut off. */
const longest = 1024 * 1024;

/**
 * Reads an SMTP server's replies (RFC 5321 §4.2) as they come in.
 * @param onReply called with each whole reply: its lines, without their ends, joined by line feeds
 * @param onEndless called when a reply does not end
 * @returns the function that takes the octets
 */
function replyReader(onReply: (reply: string) => void, onEndless: () => void): (chunk: Buffer) => void {
  let rest = '';
  /** The lines of a reply that has not ended yet. */
  let lines = '';
  return (chunk) => {
    const text = rest + chunk.toString('utf8');
    let from = 0;
    for (let at = text.indexOf('\n', from); at !== -1; at = text.indexOf('\n', from)) {
      const line = text.slice(from, text[at - 1] === '\r' && at > from ? at - 1 : at);
      from = at + 1;
      // “250-” continues it, “250 ” ends it.
      if (line.length > 3 && line[3] === '-' && /^\d{3}/.test(line)) {
        lines += `${line}\n`;
        continue;
      }
      const reply = lines + line;
      lines = '';
      if (reply !== '') onReply(reply);
    }
    rest = text.slice(from);
    if (rest.length + lines.length > longest) onEndless();
  };
}
