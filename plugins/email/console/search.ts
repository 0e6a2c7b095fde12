import { addressOf, readOnce, rowsAt, textAt, type Found } from '#core/surfaces/console/kit/index.js';

const most = 6;

/** Finds the latest messages to an address. */
export default async function search(query: string): Promise<readonly Found[]> {
  if (!query.includes('@')) return [];
  const reply = await readOnce('email.message.list', { to: query, limit: most });
  return rowsAt(reply, 'messages').map((row): Found => ({
    group: 'Messages',
    icon: 'mail',
    title: textAt(row, 'subject'),
    beside: `to ${query}`,
    after: textAt(row, 'status'),
    href: addressOf(['email', 'message', textAt(row, 'messageId')]),
  }));
}
