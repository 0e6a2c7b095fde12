import type { bounceKinds } from '../tables/message.js';
import { containsPhrase, foldedAnswer, indexOfPhrase } from './folded-answer.js';
import { isKnown } from './known-answers.js';
import { deadDespite, deadDomainPhrases, deadPhrases, deadPredicates, deadSubjects } from './dead-words.js';
import { passingPhrases, relayLimitPhrases, relayRefusalPhrases, senderPhrases } from './words.js';

export type BounceKind = (typeof bounceKinds)[number];

/** The most characters of an answer in which codes are looked for. */
const mostCharacters = 2_000;

/** An enhanced status code of a failure (RFC 3463 §2). */
const enhancedGrammar = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/;
/**
 * A reply code, at the start of a line or after the server's name, such as `host mx.example.com said: 550 no such
 * user`.
 */
const replyGrammar = /(?:^|[:;>] {0,3})([45]\d\d)(?=[\s-]|$)/m;

/** The enhanced status code in the first 2,000 characters of a text; null if there is none. */
export const enhancedCodeIn = (text: string): string | null =>
  enhancedGrammar.exec(text.slice(0, mostCharacters))?.[0] ?? null;

const replyIn = (text: string): string | null => replyGrammar.exec(text.slice(0, mostCharacters))?.[1] ?? null;

/**
 * Codes that state that the mailbox or its domain does not exist (RFC 3463 §3.2, RFC 7505 §4.2): 1.1 no such mailbox,
 * 1.2 no such host, 1.3 not an address, 1.6 moved, 1.10 null MX or an unknown recipient at Exchange, 2.1 disabled.
 * Every other code says nothing about the address, unless its text does.
 */
const deadCodes = new Set(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1']);

/** Replies of a server or domain that accepts no mail at all (RFC 7504). */
const deadReplies = new Set(['556']);

/** The mailbox is full (RFC 5321 §4.2.3), whatever the enhanced code. */
const fullReply = '552';

/**
 * Exchange Online returns this for a mailbox that does not exist: `550 5.4.1 Recipient address rejected: Access
 * denied`.
 */
const isUnknownAtExchange = (code: string | null, folded: string): boolean =>
  code === '5.4.1' &&
  (containsPhrase(folded, 'recipient address rejected access denied') ||
    containsPhrase(folded, 'recipient addresses rejected access denied'));

/**
 * Whether a bounce means that the address does not work (hard), or that this message could not be delivered now (soft).
 * A hard one suppresses the address, so only an answer that states that the mailbox does not exist is hard. Words about
 * a full mailbox, a rate, a policy, spam, the sender or the relay make any code soft. All reports are judged here:
 * answers of the relay, bounces and providers' callbacks.
 * @param code an enhanced status code; null if the report has none
 * @param detail the receiving server's answer; its first 2,000 characters count
 */
export function bounceKind(code: string | null, detail: string): BounceKind {
  // The receiving server's answer may be more specific.
  const found = code !== null && isSpecific(code) ? code : (enhancedCodeIn(detail) ?? code);
  const specific = found !== null && isSpecific(found) ? found : null;
  const reply = replyIn(detail);
  // A temporary failure, even if the relay has given up, or reports it under its own code.
  if ([found, enhancedCodeIn(detail), reply].some((each) => each?.startsWith('4') === true)) return 'soft';
  if (found === null && reply === null) return 'soft';
  const folded = foldedAnswer(detail);
  const isKnownAs = (verdict: BounceKind): boolean => isKnown(verdict, reply, enhancedCodeIn(detail), folded);
  if (isUnknownAtExchange(specific, folded)) return 'hard';
  if (isKnownAs('soft') || hasSoftWords(folded)) return 'soft';
  if (isKnownAs('hard')) return 'hard';
  const isPolicy = specific?.startsWith('5.7.') === true;
  if (hasDeadWords(folded, isPolicy) || (!isPolicy && hasPhrase(folded, deadDomainPhrases))) return 'hard';
  if (reply !== null && deadReplies.has(reply)) return 'hard';
  return specific !== null && deadCodes.has(specific) && reply !== fullReply ? 'hard' : 'soft';
}

/** Whether an enhanced code means anything: x.0.0 does not (RFC 3463 §3.1). */
const isSpecific = (code: string): boolean => !/^\d\.0\.0$/.test(code);

/**
 * The kind of a bounce that a provider judged itself. Its judgement counts only if the receiving server's answer does
 * not say otherwise: providers also call addresses bad whose server refused a message as spam.
 * @param judged the provider's
 */
export function judgedKind(judged: BounceKind, code: string | null, detail: string): BounceKind {
  const folded = foldedAnswer(detail);
  if (judged === 'soft') return hasDeadWords(folded) ? bounceKind(code, detail) : 'soft';
  const isSpecified = [code, enhancedCodeIn(detail)].some((each) => each !== null && isSpecific(each));
  return isSpecified || hasSoftWords(folded) ? bounceKind(code, detail) : 'hard';
}

/** Codes for a limit of the sender's own account: 1.90, 7.232, 7.233 and 7.705 of Exchange Online, 4.5 of Gmail. */
const relayLimitCodes = new Set(['5.1.90', '5.4.5', '5.7.232', '5.7.233', '5.7.705']);

/**
 * Whether a relay's answer states that the sender has used up what it may send. It is about neither the message nor the
 * recipient, and passes with time.
 */
export function isRelayLimit(answer: string): boolean {
  const code = enhancedCodeIn(answer);
  return (code !== null && relayLimitCodes.has(code)) || hasPhrase(foldedAnswer(answer), relayLimitPhrases);
}

/**
 * Whether a soft bounce is about the sender, the relay or the message, such as its reputation or DMARC: it says nothing
 * about the address, however often it is repeated.
 */
export function isAboutSender(code: string | null, detail: string): boolean {
  const said = [code, enhancedCodeIn(detail)];
  if (said.some((each) => each !== null && /^[45]\.[67]\.[1-9]/.test(each))) return true;
  return isRelayLimit(detail) || hasPhrase(withoutExceptions(foldedAnswer(detail)), senderPhrases);
}

/** Replies about one mailbox, if no enhanced code says more: busy, out of space, full (RFC 5321 §4.2.3). */
const mailboxReplies = new Set(['450', '452', '552']);

/**
 * Whether a refusal at submission, for now or for good, is about the mailbox of its recipient. Any other one is about
 * the sender, the message or the server itself, and so may concern all mail.
 */
export function isAboutMailbox(answer: string): boolean {
  const code = enhancedCodeIn(answer);
  if (bounceKind(code, answer) === 'hard') return true;
  if (code === null) return mailboxReplies.has(replyIn(answer) ?? '');
  return /^[45]\.(?:2\.\d+|1\.(?:[0-6]|10))$/.test(code) && !isAboutSender(code, answer);
}

/** Codes for a relay that does not serve us: 7.8 refused credentials (RFC 4954 §6), 7.64 of Exchange Online. */
const relayRefusalCodes = new Set(['5.7.8', '5.7.64']);

/**
 * Whether a refusal at submission says that the relay serves no mail of ours: it does not relay for us, has stopped
 * our account, or refuses our machine. The operator can correct it; neither the message nor its sender is the cause.
 */
export function isRelayRefusal(answer: string): boolean {
  if (isAboutMailbox(answer)) return false;
  const code = enhancedCodeIn(answer);
  return (code !== null && relayRefusalCodes.has(code)) || hasPhrase(foldedAnswer(answer), relayRefusalPhrases);
}

const hasPhrase = (folded: string, phrases: readonly string[]): boolean =>
  phrases.some((phrase) => containsPhrase(folded, phrase));

const withoutExceptions = (folded: string): string =>
  deadDespite.reduce((text, phrase) => text.replaceAll(` ${phrase} `, ' '), folded);

function hasSoftWords(folded: string): boolean {
  const rest = withoutExceptions(folded);
  return hasPhrase(rest, passingPhrases) || hasPhrase(rest, senderPhrases);
}

/** The most characters between a subject and what is said of it. */
const mostBetween = 80;

/**
 * @param isPolicy under a code of policy (5.7.x), an account that is disabled or suspended may be the sender's at the
 *   relay; a mailbox or user that does not exist is the recipient's
 */
function hasDeadWords(folded: string, isPolicy = false): boolean {
  if (hasPhrase(folded, deadPhrases)) return true;
  return folded.split('|').some((sentence) => {
    const predicates = deadPredicates.flatMap((phrase) => {
      const at = sentence.lastIndexOf(` ${phrase} `);
      return at < 0 ? [] : [at];
    });
    return deadSubjects.some((subject) => {
      if (isPolicy && subject === 'account') return false;
      const at = indexOfPhrase(sentence, subject, 0);
      return at >= 0 && predicates.some((found) => found > at && found - at <= mostBetween + subject.length);
    });
  });
}
