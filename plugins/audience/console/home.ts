import { addressOf, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

const home: HomePart = {
  steps: [
    {
      title: 'Import your contacts',
      text: 'Upload a CSV with their consent, or add them one by one.',
      needs: 'audience.contact.list',
      check: async () => {
        const { contacts } = await readOnce('audience.contact.list', { limit: 1 });
        return contacts.length === 0 ? undefined : 'There are contacts.';
      },
      action: 'Import contacts',
      leadsTo: 'audience.contact.import',
      href: () => addressOf(['audience', 'import']),
    },
  ],
};

export default home;
