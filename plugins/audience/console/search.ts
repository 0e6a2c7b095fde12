import { addressOf, readOnce, rowsAt, textAt, type Found } from '#core/surfaces/console/kit/index.js';

const most = 6;

/** Finds contacts by name, address or number. */
export default async function search(query: string): Promise<readonly Found[]> {
  const reply = await readOnce('audience.contact.list', { query, limit: most });
  return rowsAt(reply, 'contacts').map((row): Found => {
    const name = [textAt(row, 'firstName'), textAt(row, 'lastName')].filter((part) => part !== '').join(' ');
    const address = textAt(row, 'email') || textAt(row, 'phone');
    return {
      group: 'People',
      icon: 'user',
      title: name || address,
      beside: name === '' ? '' : address,
      after: 'Contact',
      href: addressOf(['audience', 'contact', textAt(row, 'id')]),
    };
  });
}
