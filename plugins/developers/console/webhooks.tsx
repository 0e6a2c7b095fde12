import {
  Button,
  Empty,
  exactTime,
  formAddress,
  Head,
  List,
  operationNamed,
  refusalFor,
  Status,
  textAt,
  useRead,
  valueAt,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { healthOf } from './health.js';
import { texts } from './texts.js';

const columns: readonly Column[] = [
  { title: 'URL', field: 'url' },
  { title: 'Status', field: 'status', show: (row) => <Health endpoint={row} part="status" /> },
  { title: 'Waiting', field: 'waiting', number: true, show: (row) => <Health endpoint={row} part="waiting" /> },
  { title: 'Events', field: 'eventTypes', show: (row) => eventTypesOf(row) },
  { title: 'Description', field: 'description' },
  { title: 'Created', field: 'createdAt' },
];

const eventTypesOf = (row: Row): string =>
  Array.isArray(row['eventTypes']) && row['eventTypes'].length > 0 ? row['eventTypes'].join(', ') : 'Every event';

/** The health of one endpoint, which its own operation knows. */
function Health({ endpoint, part }: { endpoint: Row; part: 'status' | 'waiting' }) {
  const { data } = useRead('developers.webhook.get', { endpointId: textAt(endpoint, 'endpointId') });
  if (part === 'waiting') return <>{data === undefined ? '' : textAt(data, 'health.queued')}</>;
  if (textAt(endpoint, 'status') === 'disabled') return <Status status="disabled" tone="" />;
  if (data === undefined) return <span class="faint">…</span>;
  const since = textAt(data, 'health.failingSince');
  return (
    <>
      <Status status={healthOf(valueAt(data, 'health'))} />
      {since === '' ? null : <span class="faint"> since {exactTime(since)}</span>}
    </>
  );
}

/** The webhooks of the environment, each with its health. */
export default function Webhooks() {
  const list = operationNamed('developers.webhook.list');
  const create = operationNamed('developers.webhook.create');
  if (!list) return null;
  const createButton = create ? (
    <Button kind="main" icon="plus" href={formAddress(create.name)} refused={refusalFor(create)}>
      Create webhook
    </Button>
  ) : undefined;
  return (
    <>
      <Head title="Webhooks" sub={texts.webhooksSub} actions={createButton} />
      <List
        operation={list}
        columns={columns}
        empty={
          <Empty title={texts.webhooksEmptyTitle} action={createButton}>
            {texts.webhooksEmpty}
          </Empty>
        }
      />
    </>
  );
}
