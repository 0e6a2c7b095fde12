import type { Context } from '#core/kernel/context.js';
import { hasBroadcastContent, renderBroadcastContents } from './content.js';
import { contents } from '../tables/content.js';
import type { MessageRow } from '../tables/message.js';

/**
 * The texts of a message, as email.message.get shows them: the texts that were sent, or the texts of a broadcast,
 * rendered from the contact as it is now.
 * @returns null for system mail, after a recipient was erased or the content was deleted, and if a variable is missing
 */
export async function shownContent(
  context: Pick<Context, 'db' | 'use'>,
  message: MessageRow,
): Promise<{ text: string | null; html: string | null; renderedNow: boolean } | null> {
  const { contentId, isSystem } = message;
  if (isSystem || contentId === null) return null;
  if (!hasBroadcastContent(message)) {
    const content = await context.db.findOne(contents, { id: contentId });
    return content && { text: content.textBody, html: content.htmlBody, renderedNow: false };
  }
  const rendered = (await renderBroadcastContents(context, [message])).get(message.id);
  return rendered?.ok ? { text: rendered.content.text, html: rendered.content.html, renderedNow: true } : null;
}
