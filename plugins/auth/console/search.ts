import { addressOf, askedIn, textAt, type SearchSource } from '#core/surfaces/console/kit/index.js';

const sources: readonly SearchSource[] = [
  askedIn({
    needs: 'auth.user.list',
    input: (query) => ({ query }),
    rows: 'users',
    found(row) {
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
    },
  }),
  askedIn({
    needs: 'auth.org.list',
    input: (query) => ({ query }),
    rows: 'organizations',
    found: (row) => ({
      group: 'Organizations',
      icon: 'building',
      title: textAt(row, 'name'),
      beside: textAt(row, 'slug'),
      href: addressOf(['auth', 'org', textAt(row, 'id')]),
    }),
  }),
];

export default sources;
