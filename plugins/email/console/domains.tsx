import {
  addressOf,
  Empty,
  Head,
  List,
  OperationButton,
  operationNamed,
  rowsAt,
  textAt,
  Time,
  useAddress,
  type Column,
} from '#core/surfaces/console/kit/index.js';
import { domainTexts } from './domain-texts.js';

const columns: readonly Column[] = [
  { title: 'Domain', field: 'domain' },
  { title: 'Status', field: 'status' },
  {
    title: 'Records found',
    field: 'records',
    show: (row) => {
      const needed = rowsAt(row, 'records').filter((each) => each['required'] === true);
      return `${needed.filter((each) => each['ok'] === true).length} of ${needed.length}`;
    },
  },
  { title: 'Receives mail', field: 'receiving' },
  {
    title: 'Checked',
    field: 'lastCheckedAt',
    show: (row) => (textAt(row, 'lastCheckedAt') === '' ? 'Not yet' : <Time at={textAt(row, 'lastCheckedAt')} />),
  },
];

/** The sending domains. Adding one ends on its page, with the records to publish. */
export default function Domains() {
  const list = operationNamed('email.domain.list');
  const { go } = useAddress();
  if (!list) return null;
  const add = (opens?: string) => (
    <OperationButton
      operation="email.domain.add"
      action="Add domain"
      kind="main"
      icon="plus"
      {...(opens === undefined ? {} : { opens })}
      input={{}}
      fields={['domain']}
      done="Domain added"
      onDone={({ result }) => go(addressOf(['email', 'domain', textAt(result, 'domain.id')]))}
    >
      <p>{domainTexts.add}</p>
    </OperationButton>
  );
  return (
    <>
      <Head title="Domains" sub={domainTexts.sub} actions={add('create')} />
      <List
        operation={list}
        columns={columns}
        filters={['status']}
        hrefOf={(row) => addressOf(['email', 'domain', textAt(row, 'id')])}
        empty={
          <Empty title="No domains yet." action={add()}>
            {domainTexts.empty}
          </Empty>
        }
      />
    </>
  );
}
