import {
  addressOf,
  BlockedNotice,
  Card,
  choiceText,
  counted,
  EventsOf,
  exactTime,
  Facts,
  has,
  Head,
  History,
  Loading,
  Notice,
  OperationButton,
  Refusal,
  rowAt,
  rowsAt,
  Status,
  textAt,
  Time,
  toneOf,
  useRead,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

const unfinished: readonly string[] = ['queued', 'held', 'sending'];

const pollMs = ({ message }: ResultOf<'sms.message.get'>) => (unfinished.includes(message.status) ? 2_000 : undefined);

/** One text message: what became of it and why, what it said, and every attempt to send it. */
export default function Message({ params }: ScreenProps) {
  const messageId = params['id'] ?? '';
  const { data, error, again } = useRead('sms.message.get', { messageId }, { pollMs });
  if (error)
    return (
      <>
        <Head title="Text message" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const message = rowAt(data, 'message');
  const [status, body, contactId] = [textAt(message, 'status'), textAt(message, 'body'), textAt(message, 'contactId')];
  const failure = [textAt(message, 'error.code'), textAt(message, 'error.message')].filter((part) => part !== '');
  return (
    <>
      <Head
        title={`Text to ${textAt(message, 'to') || 'an erased recipient'}`}
        beside={<Status status={status} />}
        sub={
          <>
            {textAt(message, 'from') === '' ? null : `From ${textAt(message, 'from')}. `}
            {contactId !== '' && has('audience.contact.get') ? (
              <a href={addressOf(['audience', 'contact', contactId])}>Show the person and their consents</a>
            ) : null}{' '}
            {textAt(message, 'to') === '' || !has('sms.inbound.list') ? null : (
              <a href={addressOf(['sms', 'conversation', textAt(message, 'to')])}>Show the conversation</a>
            )}
          </>
        }
        actions={
          ['queued', 'held'].includes(status) ? (
            <OperationButton
              operation="sms.message.cancel"
              action="Cancel text"
              kind="danger"
              input={{ messageId }}
              done="Text cancelled"
            >
              <p>{texts.cancel}</p>
            </OperationButton>
          ) : undefined
        }
      />
      <BlockedNotice message={message} channel="sms" />
      {failure.length === 0 ? null : (
        <Notice tone="bad">
          <p>
            <b>{texts.failed}</b>
          </p>
          <p class="mono">{failure.join(': ')}</p>
        </Notice>
      )}
      <div class="two">
        <div class="stack">
          <Card title="Content">
            {body === '' ? (
              <p class="soft">{message['system'] === true ? texts.system : texts.noContent}</p>
            ) : (
              <p class="bubble">{body}</p>
            )}
            <p class="faint">
              {counted(Number(textAt(message, 'segments')), 'segment')}, {textAt(message, 'encoding')}
            </p>
          </Card>
          <Card title="Attempts">
            {rowsAt(data, 'attempts').length === 0 ? <p class="soft">{texts.notTried}</p> : null}
            <ol class="line">
              {rowsAt(data, 'attempts').map((each) => (
                <li class={textAt(each, 'status') === 'sent' ? 'good' : 'bad'}>
                  <span class="when">
                    <Time at={textAt(each, 'at')} />
                  </span>
                  <b>{choiceText(textAt(each, 'status'))}</b>{' '}
                  <span class="faint">in {textAt(each, 'durationMs')} ms</span>
                  <p class="mono">
                    {textAt(each, 'providerCode')} {textAt(each, 'response')}
                  </p>
                </li>
              ))}
            </ol>
          </Card>
        </div>
        <div class="stack">
          <Card title="Timeline">
            <ol class="line">
              {stepsOf(message).map(([step, at]) => (
                <li class={toneOf(step)}>
                  <span class="when">
                    <Time at={at} />
                  </span>
                  <b>{choiceText(step)}</b>
                  <p>{exactTime(at)}</p>
                </li>
              ))}
            </ol>
          </Card>
          <Card title="Details">
            <Facts row={detailsOf(message)} product="sms" />
          </Card>
          <EventsOf id={messageId} />
          <History id={messageId} />
        </div>
      </div>
    </>
  );
}

const stepsOf = (message: Row): (readonly [string, string])[] =>
  (
    [
      ['accepted', textAt(message, 'createdAt')],
      ['sent', textAt(message, 'sentAt')],
      ['delivered', textAt(message, 'deliveredAt')],
    ] as const
  ).filter(([, at]) => at !== '');

const detailFields = [
  'messageId',
  'template',
  'templateVersion',
  'templateLocale',
  'topic',
  'broadcastId',
  'automationId',
  'sendAfter',
  'price',
  'tags',
];

const detailsOf = (message: Row): Row =>
  Object.fromEntries(
    detailFields.flatMap((name) => {
      const value = message[name];
      const isEmpty = value === null || value === undefined || (name === 'tags' && Object.keys(value).length === 0);
      return isEmpty ? [] : [[name, value]];
    }),
  );
