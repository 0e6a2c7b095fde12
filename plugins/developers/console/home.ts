import { addressOf, formAddress, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

/** How many endpoints the home screen looks at. */
const mostWatched = 10;

const home: HomePart = {
  steps: [
    {
      title: 'Receive your first event',
      text: 'A signed webhook for every bounce, reply and sign-in.',
      needs: 'developers.webhook.list',
      check: async () => {
        const { endpoints } = await readOnce('developers.webhook.list', { limit: 1 });
        return endpoints[0]?.url;
      },
      action: 'Add an endpoint',
      leadsTo: 'developers.webhook.create',
      href: () => formAddress('developers.webhook.create'),
    },
  ],
  attention: async () => {
    const { endpoints } = await readOnce('developers.webhook.list', { limit: 50 });
    const health = await Promise.all(
      endpoints
        .filter(({ status }) => status === 'enabled')
        .slice(0, mostWatched)
        .map(async ({ endpointId }) => readOnce('developers.webhook.get', { endpointId })),
    );
    const failing = health.filter(({ health: { failingSince } }) => failingSince !== null);
    return [
      ...failing.map(({ endpoint: { endpointId, url }, health: { queued, dead } }) => ({
        title: `${url} fails`,
        text: `${queued} deliveries wait, and ${dead} were given up.`,
        action: 'Show the deliveries',
        href: addressOf(['developers', 'webhook', endpointId]),
      })),
      ...endpoints
        .filter(({ status }) => status === 'disabled')
        .map(({ endpointId, url }) => ({
          title: `${url} is disabled`,
          text: 'It gets no events. What is queued for it waits.',
          action: 'Show the endpoint',
          href: addressOf(['developers', 'webhook', endpointId]),
        })),
    ];
  },
};

export default home;
