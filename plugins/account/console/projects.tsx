import { useState } from 'preact/hooks';
import {
  acting,
  Head,
  List,
  OperationButton,
  operationNamed,
  Tabs,
  textAt,
  Time,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { projectTexts } from './texts.js';

const tabs = ['In use', 'Archived'] as const;

function Actions({ row }: { row: Row }) {
  const [projectId, name] = [textAt(row, 'id'), textAt(row, 'name')];
  if (textAt(row, 'archivedAt') !== '')
    return (
      <OperationButton
        operation="account.project.update"
        action="Unarchive"
        kind="small"
        input={{ projectId, archived: false }}
        done={`“${name}” unarchived`}
      >
        <p>{projectTexts.unarchive}</p>
      </OperationButton>
    );
  return (
    <span class="row">
      <OperationButton
        operation="account.project.update"
        action="Change"
        kind="small"
        input={{ projectId }}
        fields={['name', 'locale', 'timeZone']}
        initial={{ name, locale: textAt(row, 'locale'), timeZone: textAt(row, 'timeZone') }}
        done={`“${name}” changed`}
      />
      <OperationButton
        operation="account.project.update"
        action="Archive"
        kind="small"
        input={{ projectId, archived: true }}
        done={`“${name}” archived`}
      >
        <p>
          <b>{name}</b>
        </p>
        <p>{projectTexts.archive}</p>
      </OperationButton>
    </span>
  );
}

const columnsOf = (tab: string): readonly Column[] => {
  const [title, field] = tab === 'Archived' ? ['Archived', 'archivedAt'] : ['Created', 'createdAt'];
  return [
    {
      title: 'Project',
      field: 'name',
      show: (row) => (
        <>
          {textAt(row, 'name')} {textAt(row, 'name') === acting.value?.project ? <span class="tag">here</span> : null}
        </>
      ),
    },
    { title: 'Language', field: 'locale' },
    { title: 'Time zone', field: 'timeZone' },
    { title, field, show: (row) => <Time at={textAt(row, field)} /> },
    { title: 'Actions', field: 'id', actions: true, show: (row) => <Actions row={row} /> },
  ];
};

/** The account's projects; archived ones apart. */
export default function Projects() {
  const list = operationNamed('account.project.list');
  const [tab, setTab] = useState<(typeof tabs)[number]>('In use');
  if (!list) return null;
  return (
    <>
      <Head title="Projects" beside={<span class="tag">account.project.list</span>} sub={projectTexts.sub} />
      <Tabs label="Projects" tabs={tabs} chosen={tab} onChoose={setTab} />
      <List
        key={tab}
        operation={list}
        columns={columnsOf(tab)}
        filters={[]}
        fixed={{ archived: tab === 'Archived' }}
        hrefOf={() => undefined}
        empty={tab === 'Archived' ? projectTexts.noneArchived : undefined}
      />
    </>
  );
}
