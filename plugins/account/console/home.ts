import { formAddress, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

const home: HomePart = {
  steps: [
    {
      title: 'Invite a colleague',
      text: 'They sign in with their own address, and see what their role allows.',
      needs: 'account.member.list',
      check: async () => {
        const { members } = await readOnce('account.member.list', { limit: 2 });
        return members.length < 2 ? undefined : 'You are not alone.';
      },
      action: 'Invite a member',
      leadsTo: 'account.member.invite',
      href: () => formAddress('account.member.invite'),
    },
  ],
};

export default home;
