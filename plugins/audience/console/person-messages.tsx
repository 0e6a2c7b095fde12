import {
  addressOf,
  blockOf,
  blockWords,
  Card,
  has,
  Loading,
  Refusal,
  rowAt,
  Rows,
  heldWords,
  rowsAt,
  textAt,
  Time,
  useRead,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';

/** Why a message did not arrive, in a few words. */
function reasonOf(row: Row, channel: 'email' | 'sms', refused: Row): string {
  const block = blockOf(row, channel);
  if (block) return blockWords(block);
  if (textAt(row, 'bounce.kind') !== '') return `${textAt(row, 'bounce.kind')} bounce: ${textAt(row, 'bounce.detail')}`;
  return heldWords(row) || textAt(row, 'error.message') || textAt(refused, textAt(row, 'messageId'));
}

const columnsOf = (channel: 'email' | 'sms', refused: Row): readonly Column[] => [
  {
    title: channel === 'email' ? 'Subject' : 'Text',
    field: channel === 'email' ? 'subject' : 'body',
    show: (row) => (
      <>
        {textAt(row, channel === 'email' ? 'subject' : 'body') || (
          <span class="faint">{row['system'] === true ? 'System message' : 'Without content'}</span>
        )}
      </>
    ),
  },
  { title: 'Status', field: 'status' },
  {
    title: 'Reason',
    field: 'blocked.reason',
    show: (row) => <span class="reason">{reasonOf(row, channel, refused)}</span>,
  },
  { title: 'Sent', field: 'sentAt', show: (row) => <Time at={textAt(row, 'sentAt') || textAt(row, 'createdAt')} /> },
];

/** The newest messages to an address or number. */
export function PersonMessages({ channel, to }: { channel: 'email' | 'sms'; to: string }) {
  const { data, error, again } = useRead(`${channel}.message.list`, { to, limit: 10 });
  const messages = rowsAt(data, 'messages');
  return (
    <Card
      title={channel === 'email' ? 'Emails' : 'Texts'}
      flush
      beside={
        channel === 'sms' && has('sms.inbound.list') ? (
          <a class="right" href={addressOf(['sms', 'conversation', to])}>
            Show the conversation
          </a>
        ) : (
          <a class="right" href={addressOf([channel, 'message'], { to })}>
            All {channel === 'email' ? 'emails' : 'texts'} to them
          </a>
        )
      }
    >
      {error ? (
        <div class="in">
          <Refusal error={error} again={again} />
        </div>
      ) : data === undefined ? (
        <Loading lines={4} />
      ) : messages.length === 0 ? (
        <p class="in soft">Nothing has been sent to {to}.</p>
      ) : (
        <Rows
          rows={messages}
          columns={columnsOf(channel, rowAt(data, 'refused'))}
          hrefOf={(row) => addressOf([channel, 'message', textAt(row, 'messageId')])}
          product={channel}
        />
      )}
    </Card>
  );
}
