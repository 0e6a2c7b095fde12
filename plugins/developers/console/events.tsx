import { Empty, Head, List, operationNamed, textAt, type Column } from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

const columns: readonly Column[] = [
  { title: 'Event', field: 'type' },
  {
    title: 'About',
    field: 'subject.type',
    show: (row) => (
      <>
        {textAt(row, 'subject.type')} <code class="faint">…{textAt(row, 'subject.id').slice(-8)}</code>
      </>
    ),
  },
  {
    title: 'Payload',
    field: 'data',
    show: (row) => <code class="faint">{JSON.stringify(row['data']).slice(0, 120)}</code>,
  },
  { title: 'When', field: 'createdAt' },
];

/** What happened in the environment, newest first, live. */
export default function Events() {
  const list = operationNamed('developers.event.list');
  if (!list) return null;
  return (
    <>
      <Head title="Event log" sub={texts.eventsSub} />
      <List
        operation={list}
        columns={columns}
        filters={['types', 'subjectId', 'since', 'until']}
        live
        empty={<Empty title={texts.eventsEmptyTitle}>{texts.eventsEmpty}</Empty>}
      />
    </>
  );
}
