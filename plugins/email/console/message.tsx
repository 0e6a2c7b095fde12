import {
  addressOf,
  BlockedNotice,
  Card,
  choiceText,
  counted,
  EmailPreview,
  Empty,
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
  valueAt,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { messageTexts } from './message-texts.js';

const unfinished: readonly string[] = ['queued', 'held', 'sending'];

const pollMs = ({ message }: ResultOf<'email.message.get'>) =>
  unfinished.includes(message.status) ? 2_000 : undefined;

/** One email: what became of it and why, what it said, and every attempt to deliver it. */
export default function Message({ params }: ScreenProps) {
  const messageId = params['id'] ?? '';
  const { data, error, again } = useRead('email.message.get', { messageId }, { pollMs });
  if (error)
    return (
      <>
        <Head title="Message" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const { message, content } = data;
  const row = rowAt(data, 'message');
  const recipients = rowsAt(data, 'recipients');
  return (
    <>
      <Head
        title={message.subject ?? (message.system ? 'System mail' : 'Message without a subject')}
        beside={<Status status={message.status} />}
        sub={<Origin message={row} />}
        actions={
          ['queued', 'held'].includes(message.status) ? (
            <>
              {rowsAt(data, 'attempts').length > 0 ? (
                <OperationButton
                  operation="email.message.cancel"
                  action="Try now"
                  input={{ messageId, only: 'wait' }}
                  done="The email is tried now"
                />
              ) : null}
              <OperationButton
                operation="email.message.cancel"
                action="Cancel message"
                kind="danger"
                input={{ messageId }}
                done="Message cancelled"
              >
                <p>{messageTexts.cancel}</p>
              </OperationButton>
            </>
          ) : undefined
        }
      />
      <Attention message={row} recipients={recipients} />
      <div class="two">
        <div class="stack">
          <Card title="Content" flush>
            {content === null ? (
              <Empty title="No content.">{message.system ? messageTexts.system : messageTexts.noContent}</Empty>
            ) : (
              <EmailPreview html={content.html} text={content.text}>
                <div class="mail-from">
                  <span class="avatar" aria-hidden="true">
                    {(message.fromName ?? message.from).charAt(0).toUpperCase()}
                  </span>
                  <div>
                    {message.fromName === null ? null : <b>{message.fromName} </b>}
                    <span class={message.fromName === null ? '' : 'faint'}>{message.from}</span>
                    <br />
                    <span class="faint">to {message.to.join(', ')}</span>
                  </div>
                </div>
                {content.renderedNow ? (
                  <div class="in">
                    <Notice>{messageTexts.renderedNow}</Notice>
                  </div>
                ) : null}
              </EmailPreview>
            )}
          </Card>
          {recipients.length > 1 ? <Recipients recipients={recipients} /> : null}
          <Attempts attempts={rowsAt(data, 'attempts')} />
        </div>
        <div class="stack">
          <Card title="Timeline">
            <ol class="line">
              {rowsAt(data, 'timeline').map((step) => (
                <li class={toneOf(textAt(step, 'status'))}>
                  <span class="when">
                    <Time at={textAt(step, 'at')} />
                  </span>
                  <b>{choiceText(textAt(step, 'status'))}</b>
                  <p>{exactTime(textAt(step, 'at'))}</p>
                </li>
              ))}
            </ol>
          </Card>
          <Card title="Details">
            <Facts row={detailsOf(row, data.attachments.length)} product="email" />
            {data.submission === null ? null : (
              <p class="soft">
                Submitted by SMTP as {data.submission.user}
                {data.submission.program === null ? '' : `, by ${data.submission.program}`}, from{' '}
                {data.submission.address}.
              </p>
            )}
          </Card>
          <EventsOf id={messageId} />
          <History id={messageId} />
        </div>
      </div>
    </>
  );
}

/** To whom, from whom, and what it belongs to. */
function Origin({ message }: { message: Row }) {
  const to = Array.isArray(message['to']) ? message['to'].filter((each) => typeof each === 'string') : [];
  const contactId = textAt(message, 'contactId');
  const broadcastId = textAt(message, 'broadcastId');
  const automationId = textAt(message, 'automationId');
  const template = textAt(message, 'template');
  return (
    <>
      To{' '}
      {contactId !== '' && has('audience.contact.get') ? (
        <a href={addressOf(['audience', 'contact', contactId])}>{to.join(', ')}</a>
      ) : (
        to.map((address, at) => (
          <>
            {at === 0 ? null : ', '}
            <a href={addressOf(['email', 'message'], { to: address })}>{address}</a>
          </>
        ))
      )}{' '}
      from {textAt(message, 'from')}
      {template === '' ? null : (
        <>
          , template <a href={addressOf(['email', 'template', template])}>{template}</a>
        </>
      )}
      {broadcastId === '' ? null : (
        <>
          , in a <a href={addressOf(['email', 'broadcast', broadcastId])}>broadcast</a>
        </>
      )}
      {automationId === '' ? null : (
        <>
          , by an <a href={addressOf(['email', 'automation', automationId])}>automation</a>
        </>
      )}
    </>
  );
}

/** What needs attention first: why it was blocked, bounced or refused, and what fixes it. */
function Attention({ message, recipients }: { message: Row; recipients: readonly Row[] }) {
  const refused = recipients.filter(
    (each) =>
      textAt(each, 'response') !== '' &&
      (textAt(each, 'status') === 'failed' ||
        (textAt(each, 'status') === 'queued' && valueAt(each, 'smtpCode') !== null)),
  );
  const bounced = recipients.filter((each) => textAt(each, 'bounce.kind') !== '');
  const complained = recipients.filter((each) => textAt(each, 'complainedAt') !== '');
  const suppressed = recipients.filter((each) => textAt(each, 'status') === 'suppressed');
  return (
    <>
      <BlockedNotice message={message} channel="email" />
      {bounced.map((each) => (
        <Notice tone="bad" action={<Suppression email={textAt(each, 'email')} />}>
          <p>
            <b>
              {textAt(each, 'email')}: {textAt(each, 'bounce.kind')} bounce.
            </b>{' '}
            {textAt(each, 'bounce.kind') === 'hard' ? messageTexts.hardBounce : messageTexts.softBounce}
          </p>
          <p class="mono">
            {textAt(each, 'bounce.code')} {textAt(each, 'bounce.detail')}
          </p>
        </Notice>
      ))}
      {refused.map((each) => (
        <Notice tone={textAt(each, 'status') === 'failed' ? 'bad' : 'warn'}>
          <p>
            <b>{textAt(each, 'email')}:</b>{' '}
            {textAt(each, 'status') === 'failed' ? messageTexts.failed : messageTexts.retrying}
          </p>
          <p class="mono">
            {textAt(each, 'smtpCode')} {textAt(each, 'response')}
          </p>
        </Notice>
      ))}
      {complained.map((each) => (
        <Notice tone="warn" action={<Suppression email={textAt(each, 'email')} />}>
          <p>
            <b>{textAt(each, 'email')}:</b> {messageTexts.complained}
          </p>
        </Notice>
      ))}
      {suppressed.length > 0 && suppressed.length < recipients.length ? (
        <Notice tone="warn">
          <p>
            {messageTexts.partly} {suppressed.map((each) => textAt(each, 'email')).join(', ')}
          </p>
        </Notice>
      ) : null}
    </>
  );
}

const Suppression = ({ email }: { email: string }) =>
  has('audience.suppression.list') ? (
    <a class="b small" href={addressOf(['audience', 'suppression'], { email })}>
      Show suppression
    </a>
  ) : null;

const Recipients = ({ recipients }: { recipients: readonly Row[] }) => (
  <Card title={counted(recipients.length, 'recipient')} flush>
    <div class="scroll" tabIndex={0} role="region" aria-label="Recipients">
      <table>
        <thead>
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Status</th>
            <th scope="col">Answer of the mail server</th>
          </tr>
        </thead>
        <tbody>
          {recipients.map((each) => (
            <tr>
              <td>{textAt(each, 'email')}</td>
              <td>
                <Status status={textAt(each, 'status')} />
              </td>
              <td class="mono">
                {textAt(each, 'smtpCode')} {textAt(each, 'bounce.detail') || textAt(each, 'response')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Card>
);

const attemptWords: Readonly<Record<string, { word: string; tone: 'good' | 'warn' | 'bad' }>> = {
  sent: { word: 'Taken', tone: 'good' },
  temporary: { word: 'Refused for now', tone: 'warn' },
  permanent: { word: 'Refused', tone: 'bad' },
  mixed: { word: 'Taken for some', tone: 'warn' },
};

const Attempts = ({ attempts }: { attempts: readonly Row[] }) => (
  <Card title="Attempts">
    {attempts.length === 0 ? <p class="soft">It has not been handed to a mail server.</p> : null}
    <ol class="line">
      {attempts.map((each) => {
        const { word, tone } = attemptWords[textAt(each, 'status')] ?? { word: textAt(each, 'status'), tone: '' };
        return (
          <li class={tone}>
            <span class="when">
              <Time at={textAt(each, 'at')} />
            </span>
            <b>{word}</b> <span class="faint">in {textAt(each, 'durationMs')} ms</span>
            <p class="mono">
              {textAt(each, 'smtpCode')} {textAt(each, 'response')}
            </p>
          </li>
        );
      })}
    </ol>
  </Card>
);

/** The facts that are not in the head, without those that are empty. */
function detailsOf(message: Row, attachments: number): Row {
  const { templateVersion, templateLocale, topic, replyTo, cc, bcc, sendAfter, sentAt, createdAt } = message;
  const shown = {
    messageId: message['messageId'],
    accepted: createdAt,
    sendAfter,
    sent: sentAt,
    topic,
    templateVersion,
    templateLocale,
    replyTo,
    cc,
    bcc,
    attachments: attachments === 0 ? null : attachments,
    tags: Object.entries(rowAt(message, 'tags')).map(([name, value]) => `${name}=${String(value)}`),
  };
  return Object.fromEntries(
    Object.entries(shown).filter(
      ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
