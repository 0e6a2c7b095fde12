import {
  addressOf,
  Card,
  CopyButton,
  Facts,
  has,
  Head,
  Loading,
  Refusal,
  Rows,
  rowAt,
  rowsAt,
  textAt,
  Time,
  useRead,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { deliveryColumns } from './delivery-columns.js';
import { texts } from './texts.js';

/** One event: its payload as webhooks get it, and the deliveries it caused. */
export default function Event({ params }: ScreenProps) {
  const { data, error, again } = useRead('developers.event.get', { eventId: params['id'] ?? '' });
  if (error)
    return (
      <>
        <Head title="Event" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const event = rowAt(data, 'event');
  const payload = JSON.stringify(event, null, 2);
  const [deliveries, activityId] = [rowsAt(data, 'deliveries'), textAt(event, 'activityId')];
  return (
    <>
      <Head
        title={textAt(event, 'type')}
        sub={
          <>
            <Time at={textAt(event, 'createdAt')} />, about the {textAt(event, 'subject.type')}{' '}
            <code>{textAt(event, 'subject.id')}</code>
          </>
        }
      />
      <div class="two">
        <Card
          title="Payload"
          beside={
            <span class="right">
              <CopyButton text={payload} label="Copy the payload" />
            </span>
          }
        >
          <pre class="text" tabIndex={0} aria-label="Payload">
            {payload}
          </pre>
        </Card>
        <div class="stack">
          <Card title="Deliveries" flush={deliveries.length > 0}>
            {deliveries.length === 0 ? <p class="soft">{texts.noDeliveries}</p> : null}
            {deliveries.length === 0 ? null : (
              <Rows
                rows={deliveries}
                columns={deliveryColumns.filter(({ field }) => !['eventType', 'attempt'].includes(field))}
                hrefOf={(row) => addressOf(['developers', 'webhook.delivery', textAt(row, 'deliveryId')])}
                product="developers"
              />
            )}
          </Card>
          <Card title="Related">
            <Facts row={event} only={['id', 'createdAt', 'environment']} />
            <ul class="links">
              <li>
                <a href={addressOf(['developers', 'event'], { subjectId: textAt(event, 'subject.id') })}>
                  All events about it
                </a>
              </li>
              {activityId !== '' && has('account.activity.get') ? (
                <li>
                  <a href={addressOf(['account', 'activity', activityId])}>The call that caused it</a>
                </li>
              ) : null}
            </ul>
          </Card>
        </div>
      </div>
    </>
  );
}
