import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  call,
  Empty,
  Head,
  LiveButton,
  Loading,
  Refusal,
  Rows,
  rowsAt,
  Status,
  Tabs,
  textAt,
  Time,
  useAddress,
  useRead,
  type Column,
  type ResultOf,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { inboxTexts } from './compose-texts.js';

type Inbound = ResultOf<'email.inbound.list'>['inbound'][number];

const pollMs = 10_000;
const pageSize = 100;
const views = ['All', 'Unanswered'] as const;

/** The newest mail of each sender, and how many there are. */
function byPerson(all: readonly Inbound[]): readonly { readonly newest: Inbound; readonly count: number }[] {
  const people = new Map<string, { newest: Inbound; count: number }>();
  for (const mail of all) {
    const key = mail.from.toLowerCase();
    const known = people.get(key);
    if (known) known.count += 1;
    else people.set(key, { newest: mail, count: 1 });
  }
  return [...people.values()];
}

const columns: readonly Column[] = [
  {
    title: 'Person',
    field: 'from',
    show: (row) => (
      <>
        {textAt(row, 'from')} {row['count'] === 1 ? null : <span class="tag">{textAt(row, 'count')}</span>}
      </>
    ),
  },
  {
    title: 'Subject',
    field: 'subject',
    show: (row) => textAt(row, 'subject') || <span class="faint">No subject</span>,
  },
  { title: 'To', field: 'to' },
  {
    title: 'Status',
    field: 'status',
    show: (row) => <Status status={textAt(row, 'status')} tone={textAt(row, 'status') === 'unanswered' ? 'run' : ''} />,
  },
  { title: 'Received', field: 'receivedAt', show: (row) => <Time at={textAt(row, 'receivedAt')} /> },
];

/** Received mail by person, with those who wait for an answer. */
export default function Inbox() {
  const { query, go } = useAddress();
  const [isLive, setLive] = useState(true);
  const poll = { pollMs: isLive ? pollMs : undefined };
  const { data, error, again } = useRead('email.inbound.list', { limit: pageSize }, poll);
  const sent = useRead('email.message.list', { limit: pageSize }, poll);
  const [older, setOlder] = useState<{ readonly all: readonly Inbound[]; readonly next: string | null }>();
  const [problem, setProblem] = useState<unknown>();
  const view = query['show'] === 'unanswered' ? 'Unanswered' : 'All';
  const next = older ? older.next : (data?.nextBefore ?? null);

  const answeredAt = (from: string): string =>
    textAt(
      rowsAt(sent.data, 'messages').find(
        ({ to, broadcastId, automationId }) =>
          broadcastId === null &&
          automationId === null &&
          Array.isArray(to) &&
          to.some((each) => typeof each === 'string' && each.toLowerCase() === from.toLowerCase()),
      ),
      'createdAt',
    );
  const rowOf = ({ newest, count }: { newest: Inbound; count: number }): Row => ({
    id: newest.inboundId,
    from: newest.from,
    count,
    subject: newest.subject,
    to: newest.envelopeTo,
    status: newest.automatic ? 'automatic' : answeredAt(newest.from) > newest.receivedAt ? 'answered' : 'unanswered',
    receivedAt: newest.receivedAt,
  });
  const rows = byPerson([...(data?.inbound ?? []), ...(older?.all ?? [])]).map(rowOf);
  const shown = rows.filter((row) => view === 'All' || row['status'] === 'unanswered');
  const open = rows.filter((row) => row['status'] === 'unanswered').length;
  const loadOlder = async (): Promise<void> => {
    if (next === null) return;
    setProblem(undefined);
    await call('email.inbound.list', { limit: pageSize, before: next })
      .then(({ result }) => setOlder({ all: [...(older?.all ?? []), ...result.inbound], next: result.nextBefore }))
      .catch(setProblem);
  };
  return (
    <>
      <Head
        title="Received mail"
        sub={inboxTexts.sub}
        beside={open === 0 ? undefined : <span class="tag">{open} unanswered</span>}
      />
      <section class="card" aria-label="Received mail">
        <div class="filters">
          <Tabs
            label="Mail to show"
            tabs={views}
            chosen={view}
            onChoose={(tab) => go(addressOf(['email', 'inbound'], tab === 'All' ? {} : { show: 'unanswered' }), true)}
          />
          <span class="right" />
          <LiveButton isLive={isLive} onChange={setLive} />
        </div>
        {error ? (
          <div class="in">
            <Refusal error={error} again={again} />
          </div>
        ) : data === undefined ? (
          <Loading />
        ) : shown.length === 0 ? (
          rows.length === 0 ? (
            <Empty
              title={inboxTexts.emptyTitle}
              action={<Button href={addressOf(['email', 'domain'])}>Show domains</Button>}
            >
              {inboxTexts.empty}
            </Empty>
          ) : (
            <Empty title="Everything is answered." />
          )
        ) : (
          <Rows
            rows={shown}
            columns={columns}
            product="email"
            hrefOf={(row) => addressOf(['email', 'inbound', textAt(row, 'id')])}
          />
        )}
        {problem === undefined ? null : (
          <div class="in">
            <Refusal error={problem} />
          </div>
        )}
        {next === null ? null : (
          <div class="pages">
            <span class="right">{shown.length} shown</span>
            <Button kind="small" onClick={() => void loadOlder()}>
              Show older mail
            </Button>
          </div>
        )}
      </section>
    </>
  );
}
