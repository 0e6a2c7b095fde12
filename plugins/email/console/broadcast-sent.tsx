import {
  addressOf,
  Card,
  EmailPreview,
  Loading,
  Notice,
  Refusal,
  refusalFor,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import { messageTexts } from './message-texts.js';

/** What went out: the email of one recipient. @param isSent whether somebody was sent it already */
export function SentMail({ broadcastId, isSent }: { broadcastId: string; isSent: boolean }) {
  const refused = refusalFor('email.message.list') ?? refusalFor('email.message.get');
  const list = useRead(
    'email.message.list',
    { broadcastId, limit: 1, ...(isSent ? { status: 'sent' } : {}) },
    { enabled: refused === undefined },
  );
  const [first] = list.data?.messages ?? [];
  const messageId = first?.messageId ?? '';
  const { data, error, again } = useRead('email.message.get', { messageId }, { enabled: messageId !== '' });
  if (refused !== undefined || (list.data && !first)) return null;
  const failure = error ?? list.error;
  return (
    <Card
      title="What they got"
      flush
      beside={
        first ? (
          <span class="right soft t-small">
            As sent to <a href={addressOf(['email', 'message', messageId])}>{first.to.join(', ')}</a>
          </span>
        ) : undefined
      }
    >
      {failure ? (
        <div class="in">
          <Refusal error={failure} again={error ? again : list.again} />
        </div>
      ) : !data ? (
        <Loading />
      ) : data.content === null ? (
        <p class="in soft">{messageTexts.noContent}</p>
      ) : (
        <EmailPreview html={data.content.html} text={data.content.text}>
          <p class="mail-subject">
            <b>{data.message.subject}</b>
            <br />
            <span class="faint">{data.message.from}</span>
          </p>
          {data.content.renderedNow ? (
            <div class="in">
              <Notice>{messageTexts.renderedNow}</Notice>
            </div>
          ) : null}
        </EmailPreview>
      )}
    </Card>
  );
}
