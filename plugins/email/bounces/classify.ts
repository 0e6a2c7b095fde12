import type { bounceKinds } from '../tables/message.js';

export type BounceKind = (typeof bounceKinds)[number];

/** An enhanced status code of a failure (RFC 3463 §2). */
const enhancedGrammar = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/;
/**
 * A reply code, at the start of a line or after the server's name, such as `host mx.example.com said: 550 no such
 * user`.
 */
const replyGrammar = /(?:^|[:;>]\s*)([45]\d\d)(?=[\s-]|$)/m;

/** The enhanced status code in a text; null if there is none. */
export const enhancedCodeIn = (text: string): string | null => enhancedGrammar.exec(text)?.[0] ?? null;

/**
 * Codes of class 5 that do not indicate a bad address: it may get another message, or this one later. RFC 3463 §3.
 * - 1.7, 1.8: the sender's address
 * - 2.2: the mailbox is full; 2.3: the message is too long for it; 2.121, 2.122: it gets too much mail now (Exchange)
 * - 3: the receiving system is full, or does not accept this message
 * - 4: network and routing: no answer, a loop, or the delivery took too long. Not 4.4: the domain has no host for
 *   mail
 * - 5, 6: protocol and content of the message
 * - 7: refused for reasons of policy, such as reputation or DMARC
 */
const softGrammar = /^5\.(?:1\.[78]|2\.(?:[23]|12[12])|3\.\d+|4\.(?!4$)\d+|5\.\d+|6\.\d+|7\.\d+)$/;

/**
 * Exchange Online returns this for a mailbox that does not exist: `550 5.4.1 Recipient address rejected: Access
 * denied`.
 */
const isUnknownAtExchange = (code: string, detail: string): boolean =>
  code === '5.4.1' && /recipient address rejected/i.test(detail);

/**
 * Replies without an enhanced code that do not indicate a bad address (RFC 5321 §4.2.3): the mailbox is full, or a
 * transaction failed.
 */
const softReplies = new Set(['552', '554', '555']);

/** Words for time-outs and network failures, in reports without a specific code. */
const softWords =
  /\b(?:expired|timed? ?out|timeout|too long|too many hops|mail loop|connection refused|failing for a long time)\b/i;

/**
 * Words by which servers state, without an enhanced code, that an address does not work. The same replies are used for
 * spam, policy and full mailboxes, so the words decide.
 */
const deadWords = [
  /\b(?:unknown|invalid|no such|nonexistent|bad destination|not a (?:known|valid)) (?:local )?(?:user|recipient|mailbox|address|account|person|domain|host)/i,
  /\b(?:user|recipient|mailbox|address|account|domain|host)\b[^;]{0,80}\b(?:unknown|not (?:be )?found|not known|not local|not exist|doesn['’]t exist|disabled|inactive|deactivated|closed|deleted|no longer (?:active|available|valid)|not valid|invalid)\b/i,
  /\b(?:does not|doesn['’]t) exist\b|\bno (?:mailbox|user|account) (?:here|by that name|with)|\bunrout(?:e)?able address\b|\bmailbox unavailable\b/i,
  /\bcouldn['’]t find any host\b/i,
];

/**
 * Whether a bounce means that the address does not work (hard), or that this message could not be delivered now (soft).
 * A report that does not clearly state that the address does not work is soft, because a hard one suppresses the
 * address.
 * @param code an enhanced status code; null if the report has none
 * @param detail the receiving server's answer
 */
export function bounceKind(code: string | null, detail: string): BounceKind {
  // The receiving server's answer may be more specific.
  const specific = code !== null && isSpecific(code) ? code : (enhancedCodeIn(detail) ?? code);
  if (specific !== null && isSpecific(specific)) {
    const isSoft = softGrammar.test(specific) && !isUnknownAtExchange(specific, detail);
    return specific.startsWith('5') && !isSoft ? 'hard' : 'soft';
  }
  if (softWords.test(detail) || !deadWords.some((words) => words.test(detail))) return 'soft';
  const reply = replyGrammar.exec(detail)?.[1];
  if (reply !== undefined) return reply.startsWith('5') && !softReplies.has(reply) ? 'hard' : 'soft';
  return specific?.startsWith('5') === true ? 'hard' : 'soft';
}

/** Whether an enhanced code means anything: x.0.0 does not (RFC 3463 §3.1). */
export const isSpecific = (code: string): boolean => !/^\d\.0\.0$/.test(code);
