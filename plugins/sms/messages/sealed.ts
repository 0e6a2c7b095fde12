import { sealedContents } from '#core/messaging/sealed.js';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The content of system texts. */
export const sealedTexts = sealedContents('sms_content', isText);
