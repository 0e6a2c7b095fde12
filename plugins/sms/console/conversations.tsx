import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  Empty,
  Head,
  plainNumber,
  LiveButton,
  Loading,
  Refusal,
  Rows,
  Status,
  Tabs,
  textAt,
  TextInput,
  Time,
  useAddress,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { isAnswerable, lastAt, useInbox, type Party } from './parties.js';
import { texts } from './texts.js';

const pollMs = 5_000;
const views = ['All', 'Unanswered'] as const;

/** The row of a person: their newest text, or what was sent to them since. */
function rowOf(party: Party): Row {
  const { number, name, newest, sent, isUnanswered, blockedBy } = party;
  const isOurs = sent !== undefined && lastAt(party) === sent.createdAt;
  return {
    id: number,
    name: name || number,
    number: name === '' ? '' : number,
    text: isOurs ? (sent.body ?? texts.broadcastText) : newest.body,
    isOurs,
    status: blockedBy
      ? blockedBy === 'stop'
        ? 'opted_out'
        : 'suppressed'
      : !isAnswerable(number)
        ? 'cannot_be_answered'
        : isUnanswered
          ? 'unanswered'
          : isOurs || newest.keyword === null
            ? 'answered'
            : newest.keyword,
    lastAt: lastAt(party),
  };
}

const columns: readonly Column[] = [
  {
    title: 'Person',
    field: 'name',
    show: (row) => (
      <>
        {textAt(row, 'name')} <span class="faint">{textAt(row, 'number')}</span>
      </>
    ),
  },
  {
    title: 'Last text',
    field: 'text',
    show: (row) => (
      <>
        {row['isOurs'] === true ? <span class="faint">You: </span> : null}
        {textAt(row, 'text')}
      </>
    ),
  },
  {
    title: 'Status',
    field: 'status',
    show: (row) => <State status={textAt(row, 'status')} />,
  },
  { title: 'When', field: 'lastAt', show: (row) => <Time at={textAt(row, 'lastAt')} /> },
];

const tones: Readonly<Record<string, 'run' | 'warn' | ''>> = { unanswered: 'run', answered: '', opted_out: 'warn' };

const State = ({ status }: { status: string }) => {
  const tone = tones[status];
  return tone === undefined ? <span class="tag">{status.toUpperCase()}</span> : <Status status={status} tone={tone} />;
};

/** Everyone who has texted this environment, those who wait for an answer first. */
export default function Conversations() {
  const { query, go } = useAddress();
  const [isLive, setLive] = useState(true);
  const { parties, error, again, more, problem } = useInbox(isLive ? pollMs : undefined);
  const view = query['show'] === 'unanswered' ? 'Unanswered' : 'All';
  const shown = parties?.filter(({ isUnanswered }) => view === 'All' || isUnanswered) ?? [];
  const open = parties?.filter(({ isUnanswered }) => isUnanswered).length ?? 0;
  return (
    <>
      <Head
        title="Conversations"
        sub={texts.inboxSub}
        beside={
          open === 0 ? undefined : (
            <span class="tag">
              {open}
              {more ? '+' : ''} unanswered
            </span>
          )
        }
      />
      <section class="card" aria-label="Conversations">
        <div class="filters">
          <Tabs
            label="Conversations to show"
            tabs={views}
            chosen={view}
            onChoose={(tab) =>
              go(addressOf(['sms', 'conversation'], tab === 'All' ? {} : { show: 'unanswered' }), true)
            }
          />
          <span class="right" />
          <LiveButton isLive={isLive} onChange={setLive} />
        </div>
        {error !== null ? (
          <div class="in">
            <Refusal error={error} again={again} />
          </div>
        ) : parties === undefined ? (
          <Loading />
        ) : shown.length === 0 ? (
          parties.length === 0 ? (
            <Empty title={texts.noTexts}>{texts.noTextsYet}</Empty>
          ) : (
            <Empty title={more ? texts.newestAnswered : texts.allAnswered} />
          )
        ) : (
          <Rows
            rows={shown.map(rowOf)}
            columns={columns}
            product="sms"
            hrefOf={(row) =>
              isAnswerable(textAt(row, 'id')) ? addressOf(['sms', 'conversation', textAt(row, 'id')]) : undefined
            }
          />
        )}
        {problem === undefined ? null : (
          <div class="in">
            <Refusal error={problem} />
          </div>
        )}
        {more && parties !== undefined ? (
          <div class="pages">
            <span class="right">{shown.length} shown</span>
            <Button kind="small" onClick={more}>
              Show older conversations
            </Button>
          </div>
        ) : null}
      </section>
      <OpenNumber />
    </>
  );
}

/** Opens the conversation with a number, also with one that has never written. */
function OpenNumber() {
  const { go } = useAddress();
  const [number, setNumber] = useState('');
  const [problem, setProblem] = useState('');
  return (
    <Card title="Text somebody">
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const plain = plainNumber(number);
          if (isAnswerable(plain)) go(addressOf(['sms', 'conversation', plain]));
          else setProblem(texts.wrongNumber);
        }}
      >
        <TextInput
          label="Phone number"
          value={number}
          onInput={setNumber}
          hint={texts.numberHint}
          error={problem}
          placeholder="+491713920000"
        />
        <div class="row">
          <Button submit>Open conversation</Button>
        </div>
      </form>
    </Card>
  );
}
