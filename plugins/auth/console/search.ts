import {
  addressOf,
  readOnce,
  rowsAt,
  textAt,
  type Found,
  type SearchSource,
} from '#core/surfaces/console/kit/index.js';

const most = 6;

const sources: readonly SearchSource[] = [
  {
    needs: 'auth.user.list',
    async find(query) {
      const reply = await readOnce('auth.user.list', { query, limit: most });
      return rowsAt(reply, 'users').map((row): Found => {
        const [name, address] = [textAt(row, 'name'), textAt(row, 'email') || textAt(row, 'phone')];
        return {
          group: 'People',
          icon: 'user',
          title: name || address,
          beside: name === '' ? '' : address,
          after: 'User',
          person: address.toLowerCase(),
          href: addressOf(['auth', 'user', textAt(row, 'id')]),
        };
      });
    },
  },
  {
    needs: 'auth.org.list',
    async find(query) {
      const reply = await readOnce('auth.org.list', { query, limit: most });
      return rowsAt(reply, 'organizations').map((row): Found => ({
        group: 'Organizations',
        icon: 'building',
        title: textAt(row, 'name'),
        beside: textAt(row, 'slug'),
        href: addressOf(['auth', 'org', textAt(row, 'id')]),
      }));
    },
  },
];

export default sources;
