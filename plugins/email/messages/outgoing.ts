import { messagesKind } from '#core/messaging/outgoing.js';
import { emailDriver } from './driver.js';

/** Mail that waits, for operators who restored a backup. */
export const waitingMail = messagesKind({ name: 'mail', one: 'mail', several: 'mails' }, emailDriver);
