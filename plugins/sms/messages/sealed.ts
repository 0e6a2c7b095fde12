import { sealedContents } from '#core/messaging/sealed.js';

const isText = (value: unknown): value is string => typeof value === 'string';

/** What system texts say. */
export const sealedTexts = sealedContents('sms_content', isText);
