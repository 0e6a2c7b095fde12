/**
 * For how many seconds tokens that were handed out once may be had again, for whoever lost the answer: with the call's Idempotency-Key, and on
 * the hosted pages for tabs that refresh together. After that, presenting something spent means that somebody else may have it.
 */
export const replaySeconds = 30;
