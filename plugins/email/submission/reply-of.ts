import { SvcError } from '#core/kernel/errors/errors.js';
import { ThreadQueueFull, ThreadStarved } from '#core/runtime/thread-pool.js';
import { NoRoom, TooLarge } from '../inbound/smtp/collect.js';
import { SmtpReply, tryLater } from '../inbound/smtp/reply.js';

/** A reply line has at most 512 octets (RFC 5321 4.5.3.1.5), with the codes before the text and CRLF. */
const mostText = 490;

/** Refusals by code whose SMTP codes do not follow from their HTTP status. */
const codes: Readonly<Record<string, readonly [code: number, enhanced: string]>> = {
  attachments_too_large: [552, '5.3.4'],
  idempotency_in_progress: [451, '4.3.0'],
  invalid_input: [550, '5.6.0'],
  not_found: [550, '5.6.0'],
};

function codeOf({ code, status }: SvcError): readonly [code: number, enhanced: string] {
  const known = codes[code];
  if (known) return known;
  if (status === 429) return [450, '4.7.1'];
  return status >= 500 ? [451, '4.3.0'] : [550, '5.7.1'];
}

/** A refusal of a message in one line, with what to do: `550 5.7.1 sender_not_verified: Send from an address at …`. */
function refusalReply(error: SvcError): SmtpReply {
  const [code, enhanced] = codeOf(error);
  return new SmtpReply(code, line(enhanced, error));
}

/**
 * A refusal of AUTH (RFC 4954 §6): 454 if the same user and password may be accepted later.
 */
export function loginReply(error: SvcError): SmtpReply {
  const isTemporary = error.status === 429 || error.status >= 500;
  return isTemporary ? new SmtpReply(454, line('4.7.0', error)) : new SmtpReply(535, line('5.7.8', error));
}

const line = (enhanced: string, { code, message, fix }: SvcError): string =>
  ascii(`${enhanced} ${code}: ${fix.length + message.length < mostText - 60 ? `${message} ${fix}` : fix}`);

/** Replies are ASCII without SMTPUTF8 (RFC 6531 3.7.4.2). */
const ascii = (text: string): string =>
  text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll('…', '...')
    .replaceAll(/[^ -~]+/g, '?')
    .slice(0, mostText);

/** The reply to any error while a message is taken; undefined if the program should not have failed. */
export function knownReply(error: unknown, mostBytes: number): SmtpReply | undefined {
  if (error instanceof SmtpReply) return error;
  if (error instanceof SvcError) return refusalReply(error);
  if (error instanceof TooLarge) return new SmtpReply(552, `5.3.4 A message has at most ${mostBytes} bytes`);
  if (error instanceof NoRoom) return new SmtpReply(452, `4.3.1 ${error.message}, please try again later`);
  if (error instanceof ThreadQueueFull || error instanceof ThreadStarved) return tryLater();
  return undefined;
}
