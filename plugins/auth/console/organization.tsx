import {
  addressOf,
  Button,
  Card,
  CopyButton,
  counted,
  Facts,
  formAddress,
  has,
  Head,
  History,
  Loading,
  Refusal,
  rowsAt,
  Rows,
  Status,
  textAt,
  Time,
  useAddress,
  useRead,
  useReadEach,
  type Column,
  type ResultOf,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { organizationTexts } from './texts.js';
import { nameOf } from './users.js';

type Organization = ResultOf<'auth.user.get'>['organizations'][number]['organization'];

/** One organization: who belongs to it in which role, what it requires, and what happened. */
export default function OrganizationScreen({ params }: ScreenProps) {
  const organizationId = params['id'] ?? '';
  const { query, go } = useAddress();
  const members = useRead('auth.user.list', {
    organizationId,
    limit: pageSize,
    ...(query['before'] === undefined ? {} : { before: query['before'] }),
  });
  // No operation returns an organization to its administrators by its id; its members have it.
  const [first] = rowsAt(members.data, 'users');
  const someone = useRead('auth.user.get', { userId: textAt(first, 'id') }, { enabled: first !== undefined });
  const organization = someone.data?.organizations.find(
    (each) => each.organization.id === organizationId,
  )?.organization;
  const error: unknown = members.error ?? someone.error;
  if (error) return <Refusal error={error} again={members.again} />;
  if (members.data !== undefined && first === undefined)
    return (
      <>
        <Head title="Organization" />
        <p class="soft">{organizationTexts.noMembers}</p>
      </>
    );
  if (members.data === undefined || organization === undefined) return <Loading />;
  const next = textAt(members.data, 'nextBefore');
  return (
    <>
      <Head
        title={organization.name}
        beside={<span class="tag">{organization.slug}</span>}
        sub={counted(organization.memberCount, 'member')}
      />
      <div class="two">
        <div class="stack">
          <Card title="Members" flush>
            <Members users={rowsAt(members.data, 'users')} organizationId={organizationId} />
            {next !== '' || query['before'] !== undefined ? (
              <div class="pages">
                {query['before'] === undefined ? null : (
                  <Button kind="small" onClick={() => go(addressOf(['auth', 'org', organizationId]))}>
                    First page
                  </Button>
                )}
                <span class="right" />
                {next === '' ? null : (
                  <Button kind="small" onClick={() => go(addressOf(['auth', 'org', organizationId], { before: next }))}>
                    Next page
                  </Button>
                )}
              </div>
            ) : null}
          </Card>
          <Managing organization={organization} />
        </div>
        <div class="stack">
          <Card title="Organization">
            <Facts row={{ ...organization }} only={['createdAt', 'updatedAt', 'logoUrl']} />
            <p>
              <Status
                status={organization.requireMfa ? 'Second factor required' : 'Second factor optional'}
                tone={organization.requireMfa ? 'good' : ''}
              />
            </p>
            <p>
              <code>{organization.id}</code> <CopyButton text={organization.id} label="Copy the id" />
            </p>
          </Card>
          {Object.keys(organization.metadata).length === 0 ? null : (
            <Card title="Metadata">
              <Facts row={organization.metadata} />
            </Card>
          )}
          <History id={organizationId} />
        </div>
      </div>
    </>
  );
}

/** A page of members: no operation lists roles, so each one's is read with the user. */
const pageSize = 20;

const columnsOf = (organizationId: string, roles: ReadonlyMap<string, string>): readonly Column[] => [
  {
    title: 'Member',
    field: 'id',
    show: (row) => (
      <>
        {nameOf(row)} {nameOf(row) === textAt(row, 'email') ? null : <span class="faint">{textAt(row, 'email')}</span>}
      </>
    ),
  },
  {
    title: 'Role',
    field: 'role',
    show: (row) => roles.get(textAt(row, 'id')) ?? '…',
  },
  {
    title: 'Last sign-in',
    field: 'lastSignInAt',
    show: (row) => (textAt(row, 'lastSignInAt') === '' ? 'Never' : <Time at={textAt(row, 'lastSignInAt')} />),
  },
  {
    title: 'Actions',
    field: 'actions',
    actions: true,
    show: (row) =>
      has('auth.org.member.update') ? (
        <span class="row nowrap">
          <Button
            kind="small"
            href={formAddress('auth.org.member.update', { organizationId, userId: textAt(row, 'id') })}
            label={`Change the role of ${nameOf(row)}`}
          >
            Change role
          </Button>
          <Button
            kind="small"
            href={formAddress('auth.org.member.remove', { organizationId, userId: textAt(row, 'id') })}
            label={`Remove ${nameOf(row)}`}
          >
            Remove
          </Button>
        </span>
      ) : null,
  },
];

function Members({ users, organizationId }: { users: readonly Row[]; organizationId: string }) {
  const found = useReadEach(
    'auth.user.get',
    users.map((row) => ({ userId: textAt(row, 'id') })),
  );
  const roles = new Map(
    found.data?.flatMap((each) => {
      const membership = each?.organizations.find(({ organization }) => organization.id === organizationId);
      return each && membership ? [[each.user.id, membership.role] as const] : [];
    }),
  );
  return (
    <>
      {found.error ? (
        <div class="in">
          <Refusal error={found.error} again={found.again} />
        </div>
      ) : null}
      <Rows
        rows={users}
        columns={columnsOf(organizationId, roles)}
        hrefOf={(row) => addressOf(['auth', 'user', textAt(row, 'id')])}
        product="auth"
      />
    </>
  );
}

/** What the organization's own owners and admins do; the forms ask for the access token of one of them. */
const Managing = ({ organization }: { organization: Organization }) => (
  <Card title="Who manages it">
    <p class="soft">{organizationTexts.managing}</p>
    <div class="row">
      {[
        { name: 'auth.org.invite.create', label: 'Invite member', more: {} },
        { name: 'auth.org.invite.list', label: 'List invitations', more: {} },
        { name: 'auth.org.invite.revoke', label: 'Withdraw invitation', more: {} },
        {
          name: 'auth.org.update',
          label: 'Change organization',
          more: { name: organization.name, requireMfa: organization.requireMfa },
        },
        { name: 'auth.org.delete', label: 'Delete organization', more: {} },
      ]
        .filter(({ name }) => has(name))
        .map(({ name, label, more }) => (
          <Button key={name} kind="small" href={formAddress(name, { organizationId: organization.id, ...more })}>
            {label}
          </Button>
        ))}
    </div>
  </Card>
);
