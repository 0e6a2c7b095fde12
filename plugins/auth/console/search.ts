import { addressOf, readOnce, rowsAt, textAt, type Found } from '#core/surfaces/console/kit/index.js';

const most = 6;

/** Finds users by name, address or number. */
export default async function search(query: string): Promise<readonly Found[]> {
  const reply = await readOnce('auth.user.list', { query, limit: most });
  return rowsAt(reply, 'users').map((row): Found => {
    const [name, address] = [textAt(row, 'name'), textAt(row, 'email') || textAt(row, 'phone')];
    return {
      group: 'People',
      icon: 'user',
      title: name || address,
      beside: name === '' ? '' : address,
      after: 'User',
      href: addressOf(['auth', 'user', textAt(row, 'id')]),
    };
  });
}
