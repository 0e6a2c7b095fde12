import { addressOf, readOnce, type HomePart } from '#core/surfaces/console/kit/index.js';

const home: HomePart = {
  figures: [
    {
      title: 'Spend this month',
      needs: 'billing.get',
      href: () => addressOf(['billing', 'usage']),
      load: async () => {
        const { amountSoFar, cap } = await readOnce('billing.get', {});
        const money = new Intl.NumberFormat('en', { style: 'currency', currency: amountSoFar.currency });
        const [spent, limit] = [Number(amountSoFar.amount), cap === null ? undefined : Number(cap.amount)];
        if (limit === undefined) return { value: money.format(spent), note: 'No cap is set' };
        return {
          value: money.format(spent),
          note: `${limit === 0 ? 100 : Math.round((100 * spent) / limit)} % of the cap of ${money.format(limit)}`,
          tone: spent > limit * 0.8 ? 'warn' : undefined,
        };
      },
    },
  ],
  attention: async () => {
    const { standing } = await readOnce('billing.get', {});
    if (standing === 'good') return [];
    return [
      {
        title: 'An invoice is overdue',
        text: 'Broadcasts wait until it is paid.',
        action: 'Show the invoices',
        href: addressOf(['billing', 'invoice']),
      },
    ];
  },
};

export default home;
