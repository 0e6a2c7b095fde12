import { addressOf, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

const home: HomePart = {
  attention: async () => {
    const { required, problems } = await readOnce('sms.registration.get', {});
    if (!required) return [];
    return problems.map(({ message, fix }) => ({
      title: message,
      text: fix,
      action: 'Show the registration',
      href: addressOf(['sms', 'registration']),
    }));
  },
};

export default home;
