import {
  addressOf,
  Button,
  Empty,
  Head,
  List,
  operationNamed,
  Progress,
  refusalFor,
  Status,
  textAt,
  valueAt,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { broadcastTexts } from './texts.js';

const number = new Intl.NumberFormat('en');
const countAt = (row: unknown, name: string): number => {
  const value = valueAt(row, `counts.${name}`);
  return typeof value === 'number' ? value : 0;
};

/** The broadcasts, each with how far it is or what came of it. */
export default function Broadcasts(_: ScreenProps) {
  const operation = operationNamed('email.broadcast.list');
  if (!operation) return null;
  const add = (
    <Button
      kind="main"
      icon="plus"
      href={addressOf(['email', 'broadcast', 'new'])}
      refused={refusalFor('email.broadcast.create')}
    >
      Create broadcast
    </Button>
  );
  return (
    <>
      <Head title="Broadcasts" sub={broadcastTexts.sub} actions={add} />
      <List
        operation={operation}
        live
        columns={[
          { title: 'Name', field: 'name' },
          { title: 'Status', field: 'status', show: (row) => <BroadcastStatus status={textAt(row, 'status')} /> },
          { title: 'Result', field: 'counts.recipients', show: resultOf },
          { title: 'Topic', field: 'topic' },
          { title: 'Template', field: 'template' },
          { title: 'Changed', field: 'updatedAt' },
        ]}
        hrefOf={(row) => addressOf(['email', 'broadcast', textAt(row, 'id')])}
        empty={
          <Empty title="No broadcasts yet." action={add}>
            {broadcastTexts.empty}
          </Empty>
        }
      />
    </>
  );
}

const words: Readonly<Record<string, string>> = { closed: 'cancelled' };

export const BroadcastStatus = ({ status }: { status: string }) => (
  <Status
    status={words[status] ?? status}
    tone={
      status === 'sent' ? 'good' : status === 'held' ? 'warn' : status === 'closed' || status === 'draft' ? '' : 'run'
    }
  />
);

/** How many emails have ended, in a word; the problems behind it. */
function resultOf(row: Row) {
  const recipients = countAt(row, 'recipients');
  if (recipients === 0) return <span class="faint">–</span>;
  const ended = ['sent', 'failed', 'suppressed', 'cancelled', 'bounced'].reduce(
    (sum, name) => sum + countAt(row, name),
    0,
  );
  const bounced = countAt(row, 'bounced') + countAt(row, 'refused');
  const failed = countAt(row, 'failed') - countAt(row, 'refused');
  return (
    <span class="row nowrap">
      {textAt(row, 'status') === 'sending' ? (
        <Progress done={ended} total={recipients} label="Emails that have ended" />
      ) : null}
      <span>
        {number.format(countAt(row, 'sent'))} of {number.format(recipients)} sent
        {bounced === 0 ? null : <span class="bad-text">, {number.format(bounced)} bounced</span>}
        {failed === 0 ? null : <span class="bad-text">, {number.format(failed)} failed</span>}
      </span>
    </span>
  );
}
