import type { NodemailerError } from 'nodemailer';

/** A server's answers to an envelope. */
export interface Envelope {
  readonly accepted: readonly string[];
  readonly refused: readonly NodemailerError[];
  /** Why nothing can be sent. */
  readonly error: NodemailerError | undefined;
}

/** @param answers to MAIL FROM, to each RCPT TO, and to DATA */
export function readEnvelope(to: readonly string[], [mail = '', ...others]: readonly string[]): Envelope {
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
export function mailError(text: string, code: string, command: string, response = ''): NodemailerError {
  const responseCode = Number(/^\d{3}/.exec(response)?.[0] ?? 0);
  return Object.assign(new Error(response === '' ? text : `${text}: ${response}`), {
    code,
    command,
    ...(response === '' ? {} : { response }),
    ...(responseCode === 0 ? {} : { responseCode }),
  });
}

/** Whether the server refused the message, not the session. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') &&
  !('responseCode' in error && error.responseCode === 421);

/** A server with a longer answer is cut off. */
const longest = 1024 * 1024;

/**
 * Reads an SMTP server's replies (RFC 5321 §4.2) as they come in.
 * @param onReply called with each whole reply: its lines, without their ends, joined by line feeds
 * @param onEndless called when a reply does not end
 * @returns the function that takes the octets
 */
export function replyReader(onReply: (reply: string) => void, onEndless: () => void): (chunk: Buffer) => void {
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
