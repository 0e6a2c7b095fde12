import { sealedContents } from '#core/messaging/sealed.js';
import type { Content } from '../templates/content.js';

const isContent = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && 'subject' in value && 'text' in value && 'html' in value;

/** The contents of system mail. */
export const sealedMails = sealedContents('email_content', isContent);
