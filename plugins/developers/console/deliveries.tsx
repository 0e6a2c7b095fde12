import { addressOf, Empty, Head, List, operationNamed, textAt } from '#core/surfaces/console/kit/index.js';
import { deliveryColumns } from './delivery-columns.js';
import { texts } from './texts.js';

/** The attempts to deliver events, to all webhooks. */
export default function Deliveries() {
  const list = operationNamed('developers.webhook.deliveries.list');
  if (!list) return null;
  return (
    <>
      <Head title="Deliveries" sub={texts.deliveriesSub} />
      <List
        operation={list}
        columns={deliveryColumns}
        filters={['status', 'endpointId', 'eventId']}
        hrefOf={(row) => addressOf(['developers', 'webhook.delivery', textAt(row, 'deliveryId')])}
        live
        empty={<Empty title={texts.deliveriesEmptyTitle}>{texts.deliveriesEmpty}</Empty>}
      />
    </>
  );
}
