import {
  acting,
  Button,
  formAddress,
  Head,
  List,
  operationNamed,
  refusalOf,
  Status,
  textAt,
  Time,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';

/** What a row's member can be changed to; nothing for a role that may not change members. */
function Actions({ row }: { row: Row }) {
  const memberId = textAt(row, 'id');
  const [change, remove] = [operationNamed('account.member.role.set'), operationNamed('account.member.remove')];
  return (
    <span class="row">
      {change ? (
        <Button
          kind="small"
          href={formAddress(change.name, { memberId, role: textAt(row, 'role') })}
          refused={refusalOf(change)}
        >
          Change role
        </Button>
      ) : null}
      {remove ? (
        <Button kind="small" href={formAddress(remove.name, { memberId })} refused={refusalOf(remove)}>
          Remove
        </Button>
      ) : null}
    </span>
  );
}

const columns: readonly Column[] = [
  {
    title: 'Member',
    field: 'email',
    show: (row) => (
      <>
        {textAt(row, 'email')} {textAt(row, 'id') === acting.value?.member?.id ? <span class="tag">you</span> : null}
      </>
    ),
  },
  { title: 'Role', field: 'role' },
  { title: 'Status', field: 'status', show: (row) => <Status status={textAt(row, 'status')} /> },
  { title: 'Since', field: 'createdAt', show: (row) => <Time at={textAt(row, 'createdAt')} /> },
  { title: 'Actions', field: 'id', show: (row) => <Actions row={row} /> },
];

/** The people who may use the account. */
export default function Members() {
  const [list, invite] = [operationNamed('account.member.list'), operationNamed('account.member.invite')];
  if (!list) return null;
  return (
    <>
      <Head
        title="Members"
        beside={<span class="tag">account.member.list</span>}
        sub="Owners and admins do everything; developers write all products except account and billing; viewers read."
        actions={
          invite ? (
            <Button kind="main" icon="plus" href={formAddress(invite.name)} refused={refusalOf(invite)}>
              Invite member
            </Button>
          ) : undefined
        }
      />
      <List operation={list} columns={columns} hrefOf={() => undefined} />
    </>
  );
}
