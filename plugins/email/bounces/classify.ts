import type { bounceKinds } from '../tables/message.js';

export type BounceKind = (typeof bounceKinds)[number];

/** An enhanced status code of a failure (RFC 3463 §2). */
const enhancedGrammar = /\b([45])\.(\d{1,3})\.(\d{1,3})\b/;
const replyGrammar = /\b([45])\d\d\b/;

/** The enhanced status code in a text; null without one. */
export const enhancedCodeIn = (text: string): string | null => enhancedGrammar.exec(text)?.[0] ?? null;

/**
 * Codes of class 5 that say nothing against the address: it may get another message, or this one later. RFC 3463 §3.
 * - 1.7, 1.8: the sender's address
 * - 2.2: the mailbox is full; 2.3: the message is too long for it
 * - 3: the receiving system is full, or does not take this message
 * - 4.6, 4.7: a loop, or the delivery took too long
 * - 5, 6: protocol and content of the message
 * - 7: refused for reasons of policy, such as reputation or DMARC
 */
const softGrammar = /^5\.(?:1\.[78]|2\.[23]|3\.\d+|4\.[67]|5\.\d+|6\.\d+|7\.\d+)$/;

/** Replies without an enhanced code that say nothing against the address (RFC 5321 §4.2.3): full, or a transaction that failed. */
const softReplies = new Set(['552', '554', '555']);

/**
 * Whether a bounce says that the address does not work (hard), or that this message could not be delivered now (soft).
 * @param code an enhanced status code; null when the report has none
 * @param detail what the receiving server answered
 */
export function bounceKind(code: string | null, detail: string): BounceKind {
  const reply = replyGrammar.exec(detail)?.[0];
  // x.0.0 says nothing (RFC 3463 §3.1): the receiving server's answer may say more.
  const specific = code !== null && !/^\d\.0\.0$/.test(code) ? code : (enhancedCodeIn(detail) ?? code);
  if (specific !== null && !/^\d\.0\.0$/.test(specific))
    return specific.startsWith('5') && !softGrammar.test(specific) ? 'hard' : 'soft';
  if (reply !== undefined) return reply.startsWith('5') && !softReplies.has(reply) ? 'hard' : 'soft';
  return specific?.startsWith('5') === true ? 'hard' : 'soft';
}
