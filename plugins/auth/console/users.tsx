import {
  Button,
  Empty,
  formAddress,
  Head,
  List,
  operationNamed,
  refusalFor,
  Status,
  textAt,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

/** The name of a user, or what they sign in with. */
export const nameOf = (user: Row): string =>
  textAt(user, 'name') || textAt(user, 'email') || textAt(user, 'phone') || 'User without a name';

const columns: readonly Column[] = [
  { title: 'Name', field: 'id', show: nameOf },
  {
    title: 'Email',
    field: 'email',
    show: (row) => (
      <>
        {textAt(row, 'email')}
        {row['emailVerified'] === false && textAt(row, 'email') !== '' ? (
          <span class="faint"> not verified</span>
        ) : null}
      </>
    ),
  },
  { title: 'Phone', field: 'phone' },
  {
    title: 'Status',
    field: 'status',
    show: (row) => <Status status={textAt(row, 'bannedAt') === '' ? 'active' : 'banned'} />,
  },
  { title: 'Last sign-in', field: 'lastSignInAt' },
  { title: 'Created', field: 'createdAt' },
];

/** The users of the environment. */
export default function Users() {
  const list = operationNamed('auth.user.list');
  const create = operationNamed('auth.user.create');
  if (!list) return null;
  const createButton = create ? (
    <Button kind="main" icon="plus" href={formAddress(create.name)} refused={refusalFor(create)}>
      Create user
    </Button>
  ) : undefined;
  return (
    <>
      <Head title="Users" sub={texts.sub} actions={createButton} />
      <List
        operation={list}
        columns={columns}
        filters={['query', 'banned', 'organizationId', 'appId']}
        empty={
          <Empty title={texts.emptyTitle} action={createButton}>
            {texts.empty}
          </Empty>
        }
      />
    </>
  );
}
