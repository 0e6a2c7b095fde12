import type { NodemailerError } from 'nodemailer';
import type { RecipientReport } from '#core/messaging/driver.js';
import { idForm } from '#core/runtime/id-form.js';
import { isRelayLimit } from '../../bounces/classify.js';

/** A server's answer for a recipient. */
export type Answer = Omit<RecipientReport, 'address'>;

/** The answer for an address that is not valid: no server is asked. */
export const invalidAddress = (whose: 'sender' | 'recipient', problem: string): Answer => ({
  outcome: 'permanent',
  code: null,
  response: `The ${whose} address ${problem}.`,
});

export const unanswered: Answer = {
  outcome: 'temporary',
  code: null,
  response: 'The server did not reply for this recipient.',
};

export const timedOut = (ms: number): Answer => ({
  outcome: 'temporary',
  code: null,
  response: `The delivery was not finished within ${ms / 1000} s.`,
});

export const accepted = (response: string, printable: (text: string) => string): Answer => ({
  outcome: 'sent',
  code: replyCode(response),
  response: printable(response),
  providerId: providerIdIn(response),
});

/** Where servers put the id of a message that they accepted. Each pattern has the id as its group. */
const idGrammars = [
  /\bqueued as <?([^\s<>]{4,255})>?/i, // Postfix, SendGrid, Brevo
  /\bid=<?([^\s<>]{4,255})>?/i, // Exim
  /^250 (?:2\.\d\.\d )?ok:? <?([\w.@+=-]{20,255})>?$/i, // Amazon SES
  new RegExp(`\\b(${idForm})\\b`, 'i'), // Postmark
];

/**
 * The id that a server gave a message, as its reply states it (RFC 5321 §4.2 leaves the text to the server); null if it
 * states none.
 */
function providerIdIn(response: string): string | null {
  const found = idGrammars.map((grammar) => grammar.exec(response)?.[1]).find((id) => id !== undefined);
  return found ?? null;
}

// All properties that nodemailer adds to Error are optional, so every error matches its type.
const isMailError = (error: unknown): error is NodemailerError => error instanceof Error;

/** The recipients that a server refused one by one. @returns by address */
export const refusals = (
  errors: readonly NodemailerError[] | undefined,
  printable: (text: string) => string,
): ReadonlyMap<string, Answer> =>
  new Map((errors ?? []).map((error) => [error.recipient ?? '', failure(error, printable)]));

/** The refusals in an error that ended the delivery. */
export const refusalsIn = (error: unknown, printable: (text: string) => string): ReadonlyMap<string, Answer> =>
  isMailError(error) ? refusals(error.rejectedErrors, printable) : new Map<string, Answer>();

/** The consequence of an error for the recipients. */
export function failure(error: unknown, printable: (text: string) => string): Answer {
  if (!isMailError(error)) return { ...unanswered, response: printable(String(error)) };
  const response = error.response ?? error.message;
  return {
    outcome: isPermanent(error) ? 'permanent' : 'temporary',
    code: error.responseCode ?? null,
    response: printable(`${prefixOf(error)}${response}`),
  };
}

// Only the answers to these commands are about the message. Earlier failures (connecting, a 554 greeting, TLS, login)
// are between the server and us: the operator can fix them, and the recipients are not the cause.
const messageCommands = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);

// 5yz answers that are still about our session: RFC 5321 4.2.3 (503), RFC 4954 4 and 6 (530, 534, 535, 538).
const sessionCodes = new Set([503, 530, 534, 535, 538]);

/** The server ends the connection, regardless of the command (RFC 5321 4.2.3). */
const closingCode = 421;

/** Whether an error is the server's answer about one message. All other errors are between the server and us. */
export function isAboutMessage(error: unknown): boolean {
  if (!isMailError(error) || !messageCommands.has(error.command ?? '')) return false;
  const { code, responseCode } = error;
  if (responseCode === undefined) return code === 'EMESSAGE';
  return responseCode !== closingCode && !sessionCodes.has(responseCode);
}

function isPermanent(error: NodemailerError): boolean {
  if (!isAboutMessage(error)) return false;
  const code = error.responseCode;
  // Larger than the limit that the server announced (RFC 1870 6.1): nodemailer did not even send the command.
  if (code === undefined) return true;
  // RFC 5321 4.5.3.1.10: 552 at RCPT may be an old way to say "too many recipients at once".
  if (code === 552 && error.command === 'RCPT TO' && /5\.5\.3|too many/i.test(error.response ?? '')) return false;
  // The limit of our account there passes with time, and is not about a message.
  return code >= 500 && code < 600 && !isRelayLimit(error.response ?? '');
}

function prefixOf(error: NodemailerError): string {
  if (error.command === 'MAIL FROM' && error.response !== undefined) return 'The mail server refused the sender: ';
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') return 'The mail server refused the login: ';
  return error.code === 'ETLS' ? 'A secure connection to the mail server failed: ' : '';
}

function replyCode(response: string): number | null {
  const code = /^\d{3}/.exec(response)?.[0];
  return code === undefined ? null : Number(code);
}
