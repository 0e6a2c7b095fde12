import { Head, List, operationNamed, textAt, Time, type Column } from '#core/surfaces/console/kit/index.js';

const columns: readonly Column[] = [
  { title: 'What', field: 'summary' },
  { title: 'Who', field: 'actor' },
  { title: 'Operation', field: 'operation', show: (row) => <code>{textAt(row, 'operation')}</code> },
  { title: 'Subject', field: 'subject' },
  { title: 'Address', field: 'ip' },
  { title: 'When', field: 'createdAt', show: (row) => <Time at={textAt(row, 'createdAt')} /> },
];

/** Who did what, and when. */
export default function AuditLog() {
  const operation = operationNamed('account.activity.list');
  if (!operation) return null;
  return (
    <>
      <Head
        title="Audit log"
        beside={<span class="tag">account.activity.list</span>}
        sub="Every write of this environment and its account, newest first. Reads are not recorded."
      />
      <List
        operation={operation}
        columns={columns}
        filters={['operation', 'actorId', 'subjectId', 'since', 'until']}
        live
      />
    </>
  );
}
