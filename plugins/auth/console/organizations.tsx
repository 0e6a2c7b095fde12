import {
  Empty,
  formAddress,
  Button,
  Head,
  List,
  operationNamed,
  textAt,
  type Column,
} from '#core/surfaces/console/kit/index.js';
import { organizationTexts } from './texts.js';

const columns: readonly Column[] = [
  { title: 'Name', field: 'name' },
  { title: 'Slug', field: 'slug', show: (row) => <code>{textAt(row, 'slug')}</code> },
  { title: 'Members', field: 'memberCount', number: true },
  {
    title: 'Second factor',
    field: 'requireMfa',
    show: (row) => (row['requireMfa'] === true ? 'Required' : 'Optional'),
  },
  { title: 'Created', field: 'createdAt' },
];

/** The organizations of the environment. */
export default function Organizations() {
  const list = operationNamed('auth.org.list');
  if (!list) return null;
  return (
    <>
      <Head title="Organizations" sub={organizationTexts.sub} />
      <List
        operation={list}
        columns={columns}
        filters={['query']}
        empty={
          <Empty
            title={organizationTexts.emptyTitle}
            action={<Button href={formAddress('auth.org.create')}>Create organization</Button>}
          >
            {organizationTexts.empty}
          </Empty>
        }
      />
    </>
  );
}
