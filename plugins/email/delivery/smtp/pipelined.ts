import type { Socket } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { dataOf } from './data.js';
import { isRefusal, mailError, readEnvelope, replyReader, type Envelope } from './replies.js';
import type { MailSource, OutgoingMail, Outcome } from './outgoing.js';

/*
 * The transfer of messages over a connection whose server accepts several commands together (PIPELINING, RFC 2920): the
 * envelope with DATA is sent in one write, the message in another, together with the envelope of the next one (§3.1).
 * nodemailer opens the connection and logs in. Its own transfer pipes each message through several streams, which takes
 * several times as long (measured).
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
   * Submits the messages of a source one after another, one source at a time.
   * @returns whether the connection can carry others
   */
  submit(source: MailSource): Promise<boolean>;
  /** Settles everything that the server has not answered. */
  fail(error: Error): void;
}

/** A message that is being submitted. */
interface Exchange {
  readonly mail: OutgoingMail;
  /** To MAIL FROM, to each RCPT TO, and to DATA. */
  readonly answers: string[];
  envelope: Envelope | undefined;
  isContentSent: boolean;
}

/** What the next reply answers. */
type Phase = 'envelope' | 'content' | 'empty content' | 'reset' | 'nothing';

/**
 * @param socket open and logged in; nothing else reads from it
 * @param aheadWithinMs the envelope of the next message is sent ahead to a server that has just answered a message
 *   within this time: its content leaves that much later than its check
 * @param close called if the server sends an unrequested reply, or never ends its answer: the connection is unusable
 */
export function pipelinedTransfer(
  socket: Socket,
  extensions: ServerExtensions,
  aheadWithinMs: number,
  close: () => void,
): Transfer {
  let source: MailSource | undefined;
  let finish: (isUsable: boolean) => void = () => undefined;
  let phase: Phase = 'nothing';
  /** The message that the next reply is about. */
  let current: Exchange | undefined;
  /** The one after it: its envelope was sent with the content of `current`. */
  let following: Exchange | undefined;
  let contentSentAt = 0;
  let isFast = false;

  const end = (isUsable: boolean): void => {
    source = undefined;
    phase = 'nothing';
    finish(isUsable);
  };

  const isTooLarge = ({ envelope: { size } }: OutgoingMail): boolean =>
    extensions.maxSize > 0 && size > extensions.maxSize;

  /** @returns the outcome of a message of which nothing is sent to the server; undefined for others */
  const unsentOutcome = (exchange: Exchange | undefined, isAhead: boolean): Outcome | undefined => {
    if (!exchange) return undefined;
    if (isTooLarge(exchange.mail)) {
      const error = mailError(`Message size larger than allowed ${extensions.maxSize}`, 'EMESSAGE', 'MAIL FROM');
      return { error, isUntried: false };
    }
    // It may have waited for the connection.
    return isAhead || source?.isCurrent?.() !== false ? undefined : { withdrawn: true };
  };

  const commandsOf = ({ envelope: { from, to, size, use8BitMime } }: OutgoingMail): string => {
    const sizeGiven = extensions.size ? ` SIZE=${size}` : '';
    const bodyGiven = use8BitMime && extensions.eightBit ? ' BODY=8BITMIME' : '';
    const recipients = to.map((address) => `RCPT TO:<${address}>\r\n`).join('');
    return `MAIL FROM:<${from}>${bodyGiven}${sizeGiven}\r\n${recipients}DATA\r\n`;
  };

  const take = (): Exchange | undefined => {
    const mail = source?.next();
    return mail && { mail, answers: [], envelope: undefined, isContentSent: false };
  };

  /** Begins with the next message, or continues with the one whose envelope was sent ahead. */
  const advance = (): void => {
    current = following;
    following = undefined;
    let isAhead = current !== undefined;
    current ??= take();
    for (let outcome = unsentOutcome(current, isAhead); outcome; outcome = unsentOutcome(current, isAhead)) {
      source?.settle(outcome);
      current = take();
      isAhead = false;
    }
    if (!current) {
      end(true);
      return;
    }
    phase = 'envelope';
    if (!isAhead) socket.write(commandsOf(current.mail), 'latin1');
  };

  /** Continues after a refused message. The server must forget the rest of it. */
  const resetAfter = (error: Error): void => {
    if (!isRefusal(error)) {
      end(false);
      return;
    }
    phase = 'reset';
    socket.write('RSET\r\n', 'latin1');
  };

  const refuse = (error: Error): void => {
    current = undefined;
    source?.settle({ error, isUntried: false });
  };

  const answerEnvelope = ({ mail, answers }: Exchange): Envelope | undefined => {
    const envelope = readEnvelope(mail.envelope.to, answers);
    const data = answers.at(-1) ?? '';
    const isAccepted = /^[23]/.test(data);
    if (envelope.error) {
      refuse(envelope.error);
      // A server that accepts a message for no recipient gets an empty one; a server that had refused the sender is
      // unusable.
      if (isAccepted && !answers[0]?.startsWith('2')) {
        close();
        end(false);
      } else if (isAccepted) {
        phase = 'empty content';
        socket.write('.\r\n', 'latin1');
      } else resetAfter(envelope.error);
      return undefined;
    }
    // RFC 5321 §4.3.2 requires 354; some servers answer 250.
    if (isAccepted) return envelope;
    const error = withRefusals(mailError('Data command failed', 'EENVELOPE', 'DATA', data), envelope);
    refuse(error);
    resetAfter(error);
    return undefined;
  };

  const sendContent = (exchange: Exchange): void => {
    const envelope = answerEnvelope(exchange);
    if (!envelope) return;
    if (source?.isCurrent?.() === false) {
      // DATA cannot be taken back.
      current = undefined;
      source.settle({ withdrawn: true });
      close();
      end(false);
      return;
    }
    exchange.envelope = envelope;
    exchange.isContentSent = true;
    phase = 'content';
    contentSentAt = performance.now();
    const content = dataOf(exchange.mail.raw);
    following = isFast ? take() : undefined;
    const ahead = following && !isTooLarge(following.mail) ? commandsOf(following.mail) : '';
    if (typeof content === 'string') socket.write(content + ahead, 'latin1');
    else {
      socket.cork();
      socket.write(content);
      if (ahead !== '') socket.write(ahead, 'latin1');
      socket.uncork();
    }
  };

  const answerContent = ({ envelope }: Exchange, answer: string): void => {
    isFast = performance.now() - contentSentAt < aheadWithinMs;
    if (answer.startsWith('2')) {
      const { accepted = [], refused = [] } = envelope ?? {};
      current = undefined;
      source?.settle({ sent: { accepted, rejectedErrors: refused, response: answer } });
      advance();
      return;
    }
    const error = withRefusals(mailError('Message failed', 'EMESSAGE', 'DATA', answer), envelope);
    refuse(error);
    // The transaction has ended, and the next one has begun.
    if (following) advance();
    else resetAfter(error);
  };

  const read = (reply: string): void => {
    switch (phase) {
      case 'envelope':
        if (!current) return;
        current.answers.push(reply);
        if (current.answers.length === current.mail.envelope.to.length + 2) sendContent(current);
        return;
      case 'content':
        if (current) answerContent(current, reply);
        return;
      case 'empty content':
        phase = 'reset';
        socket.write('RSET\r\n', 'latin1');
        return;
      case 'reset':
        if (reply.startsWith('2')) advance();
        else end(false);
        return;
      case 'nothing':
        close();
    }
  };
  socket.on('data', replyReader(read, close));

  return {
    submit: (given) =>
      new Promise((resolve) => {
        source = given;
        finish = resolve;
        advance();
      }),
    fail(error) {
      const open = [current, following].filter((each) => each !== undefined);
      current = following = undefined;
      for (const { answers, isContentSent } of open)
        source?.settle({ error, isUntried: !isContentSent && answers.length === 0 });
      if (source) end(false);
    },
  };
}

const withRefusals = (error: NodemailerError, envelope: Envelope | undefined): NodemailerError =>
  Object.assign(error, { rejectedErrors: [...(envelope?.refused ?? [])] });
