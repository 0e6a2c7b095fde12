import {
  addressOf,
  Button,
  Empty,
  Head,
  List,
  operationNamed,
  refusalFor,
  textAt,
  useAddress,
  useOpened,
  useRead,
  valueAt,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { topicTexts } from './texts.js';
import { TopicForm } from './topic-form.js';

/** The topics, with how many people subscribed to each. */
export default function Topics(_: ScreenProps) {
  const { query, go } = useAddress();
  const [creating, create] = useOpened('create', refusalFor('audience.topic.create'));
  const operation = operationNamed('audience.topic.list');
  if (!operation) return null;
  const isArchived = query['archived'] === 'true';
  const add = (
    <Button kind="main" icon="plus" refused={refusalFor('audience.topic.create')} onClick={() => create(true)}>
      Create topic
    </Button>
  );
  return (
    <>
      <Head title="Topics" sub={topicTexts.sub} actions={add} />
      {creating ? (
        <TopicForm onClose={() => create(false)} onDone={(key) => go(addressOf(['audience', 'topic', key]))} />
      ) : null}
      <List
        operation={operation}
        filters={['archived']}
        columns={[
          { title: 'Name', field: 'name' },
          { title: 'Key', field: 'key', show: (row) => <code>{textAt(row, 'key')}</code> },
          {
            title: 'By email',
            field: 'granted.email',
            number: true,
            show: (row) => <Granted row={row} channel="email" />,
          },
          { title: 'By text', field: 'granted.sms', number: true, show: (row) => <Granted row={row} channel="sms" /> },
          { title: 'On the preferences page', field: 'public' },
          { title: 'Created', field: 'createdAt' },
        ]}
        hrefOf={(row) => addressOf(['audience', 'topic', textAt(row, 'key')])}
        empty={
          isArchived ? (
            <Empty title="No archived topics." />
          ) : (
            <Empty title="No topics yet." action={add}>
              {topicTexts.empty}
            </Empty>
          )
        }
      />
    </>
  );
}

const number = new Intl.NumberFormat('en');

/** How many people subscribed on a channel; the list does not tell it, so each row asks. */
function Granted({ row, channel }: { row: Row; channel: 'email' | 'sms' }) {
  const channels = valueAt(row, 'channels');
  const { data } = useRead('audience.topic.get', { topic: textAt(row, 'key') });
  if (Array.isArray(channels) && !channels.includes(channel)) return <span class="faint">–</span>;
  return <>{data ? number.format(data.granted[channel]) : '…'}</>;
}
