import { messagesKind } from '#core/messaging/outgoing.js';
import { smsDriver } from './driver.js';

/** Texts that wait, for operators who restored a backup. */
export const waitingTexts = messagesKind({ name: 'texts', one: 'text', several: 'texts' }, smsDriver);
