import { addressOf, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

const home: HomePart = {
  steps: [
    {
      title: 'Let people sign in',
      text: 'Name the addresses of your app that a sign-in may return to.',
      needs: 'auth.settings.get',
      check: async () => {
        const { settings } = await readOnce('auth.settings.get', {});
        return settings.redirectUrls[0];
      },
      action: 'Set up sign-in',
      leadsTo: 'auth.settings.set',
      href: () => addressOf(['auth', 'settings']),
    },
  ],
};

export default home;
