import {
  addressOf,
  Card,
  CopyButton,
  exactTime,
  Facts,
  Head,
  Loading,
  OperationButton,
  Refusal,
  rowAt,
  rowsAt,
  Status,
  textAt,
  Time,
  useAddress,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { toneOfDelivery } from './delivery-columns.js';
import { isReplayable, isWaiting, outcomeOf } from './health.js';
import { texts } from './texts.js';

type Reply = ResultOf<'developers.webhook.delivery.get'>;

const pollMs = ({ delivery: { status } }: Reply) =>
  status === 'queued' || status === 'delivering' ? 2_000 : undefined;

/** One attempt to deliver an event: what the endpoint answered, what it was sent, and the other attempts. */
export default function Delivery({ params }: ScreenProps) {
  const deliveryId = params['id'] ?? '';
  const { go } = useAddress();
  const { data, error, again } = useRead('developers.webhook.delivery.get', { deliveryId }, { pollMs });
  const endpointId = textAt(data, 'delivery.endpointId');
  const endpoint = useRead('developers.webhook.get', { endpointId }, { enabled: endpointId !== '' });
  if (error)
    return (
      <>
        <Head title="Delivery" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const delivery = rowAt(data, 'delivery');
  const [status, url] = [textAt(delivery, 'status'), textAt(endpoint.data, 'endpoint.url')];
  return (
    <>
      <Head
        title={textAt(delivery, 'eventType')}
        beside={<Status status={status} tone={toneOfDelivery(status)} />}
        sub={
          <>
            To <a href={addressOf(['developers', 'webhook', endpointId])}>{url || 'its webhook'}</a>, attempt{' '}
            {textAt(delivery, 'attempt')}
          </>
        }
        actions={
          <OperationButton
            operation="developers.webhook.delivery.replay"
            action={isWaiting(delivery) ? 'Try now' : 'Replay delivery'}
            kind="main"
            icon="refresh"
            input={{ deliveryId }}
            done={isWaiting(delivery) ? 'Delivery is tried now' : 'Delivery queued again'}
            refused={isReplayable(delivery) ? undefined : texts.replayRefused}
            onDone={({ result }) =>
              go(addressOf(['developers', 'webhook.delivery', textAt(result, 'delivery.deliveryId')]))
            }
          />
        }
      />
      <div class="two">
        <div class="stack">
          <Response delivery={delivery} response={data.response === null ? undefined : rowAt(data, 'response')} />
          <Card title="Request" beside={<Copy text={textAt(data, 'request.body')} label="Copy the body" />}>
            <p class="mono">POST {url}</p>
            <Headers headers={rowAt(data, 'request.headers')} />
            <Body text={textAt(data, 'request.body')} label="Body of the request" />
          </Card>
        </div>
        <div class="stack">
          <Card title="Attempts">
            <ol class="line">
              {rowsAt(data, 'attempts').map((each) => (
                <li key={textAt(each, 'deliveryId')} class={toneOfDelivery(textAt(each, 'status'))}>
                  <span class="when">
                    <Time at={textAt(each, 'attemptedAt') || textAt(each, 'scheduledAt')} />
                  </span>
                  {textAt(each, 'deliveryId') === deliveryId ? (
                    <b>{outcomeOf(each) || 'Waiting'}</b>
                  ) : (
                    <a href={addressOf(['developers', 'webhook.delivery', textAt(each, 'deliveryId')])}>
                      {outcomeOf(each) || 'Waiting'}
                    </a>
                  )}
                  <p>
                    Attempt {textAt(each, 'attempt')}
                    {textAt(each, 'durationMs') === '' ? '' : `, ${textAt(each, 'durationMs')} ms`}
                  </p>
                </li>
              ))}
            </ol>
          </Card>
          <Card title="Related">
            <Facts
              row={delivery}
              product="developers"
              only={['deliveryId', 'eventId', 'endpointId', 'scheduledAt', 'attemptedAt', 'nextAttemptAt', 'replayOf']}
            />
          </Card>
        </div>
      </div>
    </>
  );
}

function Response({ delivery, response }: { delivery: Row; response: Row | undefined }) {
  const attemptedAt = textAt(delivery, 'attemptedAt');
  const failed = ['failed', 'dead'].includes(textAt(delivery, 'status'));
  return (
    <Card
      title="Response"
      beside={
        <>
          <span class={`st ${failed ? 'bad' : response ? 'good' : 'run'}`}>
            {textAt(delivery, 'responseStatus') || textAt(delivery, 'error') || 'Waiting'}
          </span>
          <span class="faint right">
            {textAt(delivery, 'durationMs') === '' ? '' : `${textAt(delivery, 'durationMs')} ms`}
            {attemptedAt === '' ? '' : `, ${exactTime(attemptedAt)}`}
          </span>
        </>
      }
    >
      {textAt(delivery, 'error') === '' ? null : <p class="mono">{textAt(delivery, 'error')}</p>}
      {response === undefined ? (
        <p class="soft">{attemptedAt === '' ? texts.notTried : texts.noResponse}</p>
      ) : (
        <>
          <Headers headers={rowAt(response, 'headers')} />
          <Body text={textAt(response, 'body')} label="Body of the response" />
        </>
      )}
    </Card>
  );
}

const Copy = ({ text, label }: { text: string; label: string }) => (
  <span class="right">
    <CopyButton text={text} label={label} />
  </span>
);

const Headers = ({ headers }: { headers: Row }) => (
  <details class="more" open>
    <summary>Headers</summary>
    <dl class="facts mono">
      {Object.entries(headers).map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </>
      ))}
    </dl>
  </details>
);

/** A body as text; JSON is indented for reading. */
const Body = ({ text, label }: { text: string; label: string }) =>
  text === '' ? (
    <p class="soft">{texts.emptyBody}</p>
  ) : (
    <>
      <pre class="text" tabIndex={0} aria-label={label}>
        {readable(text)}
      </pre>
      {label.endsWith('response') && text.length >= 4_096 ? <p class="faint">{texts.cut}</p> : null}
    </>
  );

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
