/**
 * For how many seconds tokens that were issued once can be obtained again, by a caller that lost the answer: with the
 * call's Idempotency-Key, and on the hosted pages for tabs that refresh together. After that, presenting a spent token
 * means that another person may have it.
 */
export const replaySeconds = 30;
