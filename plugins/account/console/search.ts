import { addressOf, labelOf, namedIn, textAt, type SearchSource } from '#core/surfaces/console/kit/index.js';

const sources: readonly SearchSource[] = [
  namedIn({
    needs: 'account.member.list',
    rows: 'members',
    group: 'Members',
    icon: 'building',
    title: (row) => textAt(row, 'email'),
    beside: (row) => labelOf(textAt(row, 'role')),
    href: () => addressOf(['account', 'member']),
  }),
];

export default sources;
