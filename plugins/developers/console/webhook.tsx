import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  counted,
  exactTime,
  Facts,
  formAddress,
  Head,
  History,
  List,
  Loading,
  Notice,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  rowAt,
  SecretDialog,
  Status,
  textAt,
  Time,
  useRead,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { deliveryColumns } from './delivery-columns.js';
import { healthOf } from './health.js';
import { texts } from './texts.js';

/** One webhook: whether it works, its deliveries, and what to do about those that failed. */
export default function Webhook({ params }: ScreenProps) {
  const endpointId = params['id'] ?? '';
  const { data, error, again } = useRead('developers.webhook.get', { endpointId });
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const deliveries = operationNamed('developers.webhook.deliveries.list');
  if (error)
    return (
      <>
        <Head title="Webhook" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const [endpoint, health] = [rowAt(data, 'endpoint'), rowAt(data, 'health')];
  const isDisabled = textAt(endpoint, 'status') === 'disabled';
  return (
    <>
      <Head
        title={textAt(endpoint, 'url')}
        beside={<Status status={isDisabled ? 'disabled' : healthOf(health)} />}
        sub={textAt(endpoint, 'description') || undefined}
        actions={<Actions endpoint={endpoint} onSecrets={setSecrets} />}
      />
      <Attention endpoint={endpoint} health={health} />
      <div class="two">
        <div class="stack">
          {deliveries ? (
            <List
              operation={deliveries}
              fixed={{ endpointId }}
              columns={deliveryColumns}
              filters={['status', 'eventId']}
              hrefOf={(row) => addressOf(['developers', 'webhook.delivery', textAt(row, 'deliveryId')])}
              live
            />
          ) : null}
        </div>
        <div class="stack">
          <Card title="Health">
            <Facts row={shownHealth(health)} />
          </Card>
          <Card title="Endpoint">
            <Facts
              row={endpoint}
              only={['endpointId', 'eventTypes', 'previousSecretUntil', 'createdAt', 'updatedAt']}
            />
            {Array.isArray(endpoint['eventTypes']) && endpoint['eventTypes'].length === 0 ? (
              <p class="soft">It gets every event.</p>
            ) : null}
          </Card>
          <History id={endpointId} />
        </div>
      </div>
      {secrets === null ? null : (
        <SecretDialog
          title="The new signing secret"
          secret={secrets.secret}
          other={{ label: texts.standardSecret, secret: secrets.standard }}
          hint={texts.secretOnce}
          onClose={() => setSecrets(null)}
        />
      )}
    </>
  );
}

interface Secrets {
  secret: string;
  /** For libraries of Standard Webhooks. */
  standard: string;
}

function Actions({ endpoint, onSecrets }: { endpoint: Row; onSecrets: (secrets: Secrets) => void }) {
  const endpointId = textAt(endpoint, 'endpointId');
  const isDisabled = textAt(endpoint, 'status') === 'disabled';
  const update = operationNamed('developers.webhook.update');
  return (
    <>
      <OperationButton
        operation="developers.webhook.test"
        action="Send test event"
        icon="send"
        input={{ endpointId }}
        done="Test event sent"
        refused={isDisabled ? 'The webhook is disabled. Enable it first.' : undefined}
      />
      {update ? (
        <Button
          href={formAddress(update.name, {
            endpointId,
            url: endpoint['url'],
            eventTypes: endpoint['eventTypes'],
            description: endpoint['description'] ?? undefined,
          })}
          refused={refusalFor(update)}
        >
          Edit webhook
        </Button>
      ) : null}
      <OperationButton
        operation="developers.webhook.secret.rotate"
        action="Rotate secret"
        kind="danger"
        input={{ endpointId }}
        fields={['overlapHours']}
        done="Secret rotated"
        onDone={({ result }) =>
          onSecrets({ secret: textAt(result, 'secret'), standard: textAt(result, 'standardSecret') })
        }
      >
        <p>{texts.rotateSecret}</p>
      </OperationButton>
      {isDisabled ? null : (
        <OperationButton
          operation="developers.webhook.disable"
          action="Disable webhook"
          kind="danger"
          input={{ endpointId }}
          done="Webhook disabled"
        >
          <p>{texts.disable}</p>
        </OperationButton>
      )}
    </>
  );
}

/** What needs attention: it is disabled, or it fails, and deliveries wait or were given up. */
function Attention({ endpoint, health }: { endpoint: Row; health: Row }) {
  const endpointId = textAt(endpoint, 'endpointId');
  const [dead, queued] = [Number(textAt(health, 'dead')), Number(textAt(health, 'queued'))];
  const isDisabled = textAt(endpoint, 'status') === 'disabled';
  const failingSince = textAt(health, 'failingSince');
  if (!isDisabled && failingSince === '' && dead === 0) return null;
  return (
    <Notice
      tone={isDisabled || failingSince === '' ? 'warn' : 'bad'}
      action={
        isDisabled || dead > 0 || queued > 0 ? (
          <span class="acts">
            {isDisabled ? (
              <OperationButton
                operation="developers.webhook.enable"
                action="Enable webhook"
                kind="small"
                input={{ endpointId }}
                done="Webhook enabled"
              />
            ) : null}
            {queued === 0 || isDisabled ? null : (
              <OperationButton
                operation="developers.webhook.deliveries.replay"
                action="Try waiting ones now"
                kind="small"
                icon="refresh"
                input={{ endpointId, waiting: true }}
                done="Waiting deliveries are tried now"
              >
                <p>{texts.retryAll}</p>
              </OperationButton>
            )}
            {dead === 0 ? null : (
              <OperationButton
                operation="developers.webhook.deliveries.replay"
                action={`Replay all ${dead} failed`}
                kind="small"
                icon="refresh"
                input={{ endpointId }}
                fields={['since', 'eventTypes']}
                done="Deliveries queued again"
                refused={isDisabled ? 'The webhook is disabled. Enable it first.' : undefined}
              >
                <p>{texts.replayAll}</p>
              </OperationButton>
            )}
          </span>
        ) : undefined
      }
    >
      <p>
        <b>
          {isDisabled ? (
            'Nothing is delivered: the webhook is disabled.'
          ) : failingSince === '' ? (
            'Deliveries were given up.'
          ) : (
            <>
              It has been failing since {exactTime(failingSince)} (<Time at={failingSince} />
              ).
            </>
          )}
        </b>
      </p>
      <p>
        {counted(queued, 'delivery')} waiting, {counted(dead, 'delivery')} given up.
        {textAt(health, 'lastDeliveredAt') === '' ? null : (
          <>
            {' '}
            The last one that went through: <Time at={textAt(health, 'lastDeliveredAt')} />.
          </>
        )}
      </p>
    </Notice>
  );
}

/** The health in words; `dead` is a delivery that was given up. */
const shownHealth = (health: Row): Row => ({
  delivered: health['delivered'],
  failedAttempts: health['failed'],
  givenUp: health['dead'],
  waiting: health['queued'],
  lastDelivered: health['lastDeliveredAt'],
  lastFailed: health['lastFailedAt'],
  medianDuration: health['medianDurationMs'] === null ? null : `${textAt(health, 'medianDurationMs')} ms`,
});
