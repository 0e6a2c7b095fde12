import type { Email } from 'postal-mime';
import { formats } from '#core/kernel/schema/formats.js';
import { messageIdHeader } from '../templates/header.js';

/** The message id that svc writes into a message; null if there is none. */
export function messageIdOf({ headers }: Pick<Email, 'headers'>): string | null {
  const id = headers.find(({ key }) => key === messageIdHeader.toLowerCase())?.value.trim() ?? '';
  return formats['uuid']?.(id) === true ? id : null;
}
