import { addressOf, formAddress, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

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
      href: () => formAddress('developers.webhook.create'),
    },
  ],
  attention: async () => {
    const { endpoints } = await readOnce('developers.webhook.list', { limit: 50 });
    const [failed, dead] = await Promise.all(
      (['failed', 'dead'] as const).map((status) =>
        readOnce('developers.webhook.deliveries.list', { status, limit: 100 }),
      ),
    );
    const lost = [...(failed?.deliveries ?? []), ...(dead?.deliveries ?? [])];
    return endpoints.flatMap(({ endpointId, url, status }) => {
      const own = lost.filter((delivery) => delivery.endpointId === endpointId);
      const [latest] = own;
      if (status === 'enabled' && latest === undefined) return [];
      const answer = latest?.responseStatus === null ? latest.error : `status ${latest?.responseStatus ?? ''}`;
      return [
        {
          title: status === 'disabled' ? `${url} is disabled` : `${url} fails`,
          text:
            latest === undefined
              ? 'It gets no events. What is queued for it waits.'
              : `${own.length} failed deliveries; the latest answer: ${(answer ?? 'none').replace(/\.$/, '')}.`,
          action: 'Show the deliveries',
          href: addressOf(['developers', 'webhook', endpointId]),
        },
      ];
    });
  },
};

export default home;
