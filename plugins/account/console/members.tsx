import {
  acting,
  Head,
  List,
  OperationButton,
  operationNamed,
  refusalForOwners,
  Status,
  textAt,
  Time,
  type Column,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { AccessButton } from './access-dialog.js';
import { accessTitle, grantOf } from './member-access.js';
import { memberTexts } from './member-texts.js';

/** What can be done with a row's member, or with an invitation that is not accepted. */
function Actions({ row }: { row: Row }) {
  const [memberId, email, role] = [textAt(row, 'id'), textAt(row, 'email'), textAt(row, 'role')];
  const { permissions } = grantOf(row);
  const isInvited = textAt(row, 'status') === 'invited';
  const refused = role === 'owner' ? refusalForOwners() : undefined;
  return (
    <span class="row">
      {isInvited ? (
        <OperationButton
          operation="account.member.invite"
          action="Send again"
          kind="small"
          input={{ email, role, ...(permissions === null ? {} : { permissions }) }}
          done={`Invitation sent to ${email}`}
          refused={refused}
        >
          <p>{memberTexts.again}</p>
        </OperationButton>
      ) : null}
      <AccessButton
        operation="account.member.role.set"
        action="Change role"
        kind="small"
        input={{ memberId }}
        since={textAt(row, 'updatedAt')}
        grant={grantOf(row)}
        done={() => `Role of ${email} changed`}
        refused={refused}
      >
        <p>{memberTexts.change}</p>
      </AccessButton>
      <OperationButton
        operation="account.member.remove"
        action={isInvited ? 'Withdraw' : 'Remove'}
        kind="small"
        input={{ memberId }}
        done={isInvited ? `Invitation of ${email} withdrawn` : `${email} removed`}
        refused={refused}
      >
        <p>
          <b>{email}</b>
        </p>
        <p>{isInvited ? memberTexts.withdraw : memberTexts.remove}</p>
      </OperationButton>
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
  {
    title: 'Role',
    field: 'role',
    show: (row) => {
      const { permissions } = grantOf(row);
      return <span title={permissions?.join(', ')}>{accessTitle(grantOf(row))}</span>;
    },
  },
  { title: 'Status', field: 'status', show: (row) => <Status status={textAt(row, 'status')} /> },
  { title: 'Since', field: 'createdAt', show: (row) => <Time at={textAt(row, 'createdAt')} /> },
  { title: 'Actions', field: 'id', actions: true, show: (row) => <Actions row={row} /> },
];

/** The people who may use the account. */
export default function Members() {
  const list = operationNamed('account.member.list');
  if (!list) return null;
  return (
    <>
      <Head
        title="Members"
        beside={<span class="tag">account.member.list</span>}
        sub={memberTexts.roles}
        actions={
          <AccessButton
            operation="account.member.invite"
            action="Invite member"
            kind="main"
            opens="create"
            icon="plus"
            input={{}}
            grant={{ role: 'developer', permissions: null }}
            done={({ email }) => `Invitation sent to ${String(email)}`}
          >
            <p>{memberTexts.invite}</p>
          </AccessButton>
        }
      />
      <List operation={list} columns={columns} hrefOf={() => undefined} />
    </>
  );
}
