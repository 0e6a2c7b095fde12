import {
  addressOf,
  blockOf,
  blockWords,
  Button,
  Empty,
  Head,
  heldWords,
  List,
  operationNamed,
  refusalFor,
  rowAt,
  textAt,
  Time,
  useAddress,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { messageTexts } from './message-texts.js';

/** Why a message was not sent, came back or is tried again; '' if nothing is wrong. */
function reasonOf(row: Row, refused: Refused): string {
  const block = blockOf(row, 'email');
  if (block) return blockWords(block);
  const kind = textAt(row, 'bounce.kind');
  if (kind === '') return heldWords(row) || textAt(refused, textAt(row, 'messageId'));
  const detail = [textAt(row, 'bounce.code'), textAt(row, 'bounce.detail')].filter((part) => part !== '').join(' ');
  return `${kind === 'hard' ? 'Hard' : 'Soft'} bounce${detail === '' ? '' : `: ${detail}`}`;
}

const addresses = (row: Row): string => (Array.isArray(row['to']) ? row['to'].join(', ') : '');

/** The last answers of mail servers, by message. */
type Refused = Row;

const columnsWith = (refused: Refused): readonly Column[] => [
  { title: 'To', field: 'to', show: (row) => <span title={addresses(row)}>{addresses(row)}</span> },
  {
    title: 'Subject',
    field: 'subject',
    show: (row) => (
      <>
        {textAt(row, 'subject') || <span class="faint">{row['system'] === true ? 'System mail' : 'No subject'}</span>}
        {reasonOf(row, refused) === '' ? null : <span class="reason narrow">{reasonOf(row, refused)}</span>}
      </>
    ),
  },
  { title: 'Status', field: 'status' },
  {
    title: 'Reason',
    field: 'blocked.reason',
    show: (row) => (
      <span class="reason" title={textAt(row, 'blocked.message') || reasonOf(row, refused)}>
        {reasonOf(row, refused)}
      </span>
    ),
  },
  { title: 'Template', field: 'template' },
  { title: 'Sent', field: 'sentAt', show: (row) => <Time at={textAt(row, 'sentAt') || textAt(row, 'createdAt')} /> },
];

const filters = ['to', 'status', 'template', 'broadcastId', 'automationId', 'tag', 'since', 'until'];

/** The emails of the environment, each with its status and, if it did not arrive, why. */
export default function Messages() {
  const list = operationNamed('email.message.list');
  const send = operationNamed('email.send');
  const { query } = useAddress();
  if (!list) return null;
  const sendButton =
    send === undefined ? undefined : (
      <Button kind="main" icon="send" href={addressOf(['email', 'compose'])} refused={refusalFor(send)}>
        Send email
      </Button>
    );
  return (
    <>
      <Head title="Messages" sub={messageTexts.sub} actions={sendButton} />
      <List
        operation={list}
        columns={(reply) => {
          const columns = columnsWith(rowAt(reply, 'refused'));
          return query['template'] === undefined ? columns : columns.filter(({ field }) => field !== 'template');
        }}
        filters={filters.filter((name) => name in list.input)}
        live
        empty={
          <Empty title={messageTexts.emptyTitle} action={sendButton}>
            {messageTexts.empty}
          </Empty>
        }
      />
    </>
  );
}
