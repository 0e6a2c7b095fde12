import {
  blockOf,
  blockWords,
  Button,
  Empty,
  formAddress,
  Head,
  heldWords,
  List,
  operationNamed,
  refusalFor,
  textAt,
  Time,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

/** Why a text waits, was not sent or did not arrive; '' if nothing is wrong. */
function reasonOf(row: Row): string {
  const block = blockOf(row, 'sms');
  if (block) return blockWords(block);
  return (
    heldWords(row) || [textAt(row, 'error.code'), textAt(row, 'error.message')].filter((part) => part !== '').join(': ')
  );
}

const columns: readonly Column[] = [
  { title: 'To', field: 'to' },
  {
    title: 'Text',
    field: 'body',
    show: (row) => (
      <>
        {textAt(row, 'body') || <span class="faint">{row['system'] === true ? 'System text' : 'No content'}</span>}
        {reasonOf(row) === '' ? null : <span class="reason narrow">{reasonOf(row)}</span>}
      </>
    ),
  },
  { title: 'Status', field: 'status' },
  {
    title: 'Reason',
    field: 'blocked.reason',
    show: (row) => (
      <span class="reason" title={textAt(row, 'blocked.message') || reasonOf(row)}>
        {reasonOf(row)}
      </span>
    ),
  },
  { title: 'Segments', field: 'segments', number: true },
  { title: 'Sent', field: 'sentAt', show: (row) => <Time at={textAt(row, 'sentAt') || textAt(row, 'createdAt')} /> },
];

const filters = ['to', 'status', 'broadcastId', 'automationId', 'since', 'until'];

/** The text messages of the environment. */
export default function Messages() {
  const list = operationNamed('sms.message.list');
  const send = operationNamed('sms.send');
  if (!list) return null;
  const sendButton =
    send === undefined ? undefined : (
      <Button kind="main" icon="send" href={formAddress('sms.send')} refused={refusalFor(send)}>
        Send text
      </Button>
    );
  return (
    <>
      <Head title="Text messages" sub={texts.sub} actions={sendButton} />
      <List
        operation={list}
        columns={columns}
        filters={filters.filter((name) => name in list.input)}
        live
        empty={
          <Empty title={texts.emptyTitle} action={sendButton}>
            {texts.empty}
          </Empty>
        }
      />
    </>
  );
}
