import {
  addressOf,
  Button,
  Card,
  exactTime,
  Facts,
  formAddress,
  has,
  Head,
  History,
  Loading,
  Notice,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  rowAt,
  rowsAt,
  Status,
  textAt,
  Time,
  useAddress,
  useRead,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { Impersonate } from './impersonate.js';
import { FailedSignIns } from './failed-sign-ins.js';
import { SignInLimits } from './sign-in-limits.js';
import { Sessions } from './sessions.js';
import { texts } from './texts.js';
import { nameOf } from './users.js';

/** One user: how they sign in, where they are signed in, and what an administrator can do about it. */
export default function User({ params }: ScreenProps) {
  const userId = params['id'] ?? '';
  const { data, error, again } = useRead('auth.user.get', { userId });
  if (error)
    return (
      <>
        <Head title="User" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const user = rowAt(data, 'user');
  const isBanned = textAt(user, 'bannedAt') !== '';
  const organizations = rowsAt(data, 'organizations');
  return (
    <>
      <Head
        title={nameOf(user)}
        beside={<Status status={isBanned ? 'banned' : 'active'} />}
        sub={[textAt(user, 'email'), textAt(user, 'phone')].filter((part) => part !== '').join(' · ') || undefined}
        actions={<Actions user={user} />}
      />
      {isBanned ? <Banned user={user} /> : null}
      <ImpersonatedSessions userId={userId} />
      <SignInLimits userId={userId} />
      <div class="two">
        <div class="stack">
          <Identities identities={rowsAt(data, 'identities')} />
          <Sessions userId={userId} />
          <FailedSignIns userId={userId} />
          <Card title="Second factor">
            {rowsAt(data, 'factors').length === 0 ? <p class="soft">{texts.noFactors}</p> : null}
            {rowsAt(data, 'factors').map((factor) => (
              <p key={textAt(factor, 'id')} class="row">
                <b>{textAt(factor, 'name') || 'Authenticator app'}</b>
                <Status status={textAt(factor, 'status')} />
                <span class="faint">
                  since <Time at={textAt(factor, 'activatedAt') || textAt(factor, 'createdAt')} />
                </span>
              </p>
            ))}
            {rowsAt(data, 'factors').length === 0 ? null : <p class="faint">{texts.lostFactor}</p>}
          </Card>
        </div>
        <div class="stack">
          <Card title="User" beside={<EditLink user={user} />}>
            <Facts row={factsOf(user)} />
          </Card>
          {['metadata', 'privateMetadata', 'userMetadata'].map((field) =>
            Object.keys(rowAt(user, field)).length === 0 ? null : (
              <Card key={field} title={metadataTitles[field]}>
                <Facts row={rowAt(user, field)} />
              </Card>
            ),
          )}
          {organizations.length === 0 ? null : (
            <Card title="Organizations">
              <ul class="links">
                {organizations.map((each) => (
                  <li key={textAt(each, 'organization.id')}>
                    <a href={addressOf(['auth', 'org', textAt(each, 'organization.id')])}>
                      {textAt(each, 'organization.name')}
                    </a>{' '}
                    <span class="faint">{textAt(each, 'role')}</span>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {has('audience.contact.list') ? <PersonLink email={textAt(user, 'email')} /> : null}
          <History id={userId} />
        </div>
      </div>
    </>
  );
}

const metadataTitles: Readonly<Record<string, string>> = {
  metadata: 'Metadata',
  privateMetadata: 'Private metadata',
  userMetadata: 'Metadata that the user wrote',
};

function Actions({ user }: { user: Row }) {
  const userId = textAt(user, 'id');
  const { go } = useAddress();
  return (
    <>
      <Impersonate userId={userId} refused={textAt(user, 'bannedAt') === '' ? undefined : 'The user is banned.'} />
      {textAt(user, 'bannedAt') === '' ? (
        <OperationButton
          operation="auth.user.ban"
          action="Ban user"
          kind="danger"
          icon="ban"
          input={{ userId }}
          fields={['reason', 'until']}
          done="User banned"
        >
          <p>{texts.ban}</p>
        </OperationButton>
      ) : null}
      <OperationButton
        operation="auth.user.delete"
        action="Delete user"
        kind="danger"
        input={{ userId }}
        done="User deleted"
        onDone={() => go(addressOf(['auth', 'user']))}
      >
        <p>{texts.erase}</p>
      </OperationButton>
    </>
  );
}

const Banned = ({ user }: { user: Row }) => (
  <Notice
    tone="bad"
    action={
      <OperationButton
        operation="auth.user.unban"
        action="Unban user"
        kind="small"
        input={{ userId: textAt(user, 'id') }}
        done="User unbanned"
      >
        <p>{texts.unban}</p>
      </OperationButton>
    }
  >
    <p>
      <b>
        Banned <Time at={textAt(user, 'bannedAt')} />
        {textAt(user, 'bannedUntil') === '' ? '.' : ', until '}
        {textAt(user, 'bannedUntil') === '' ? null : <Time at={textAt(user, 'bannedUntil')} />}
      </b>
    </p>
    <p>{textAt(user, 'banReason') === '' ? 'No reason was given.' : `Reason: ${textAt(user, 'banReason')}`}</p>
  </Notice>
);

/** While somebody acts as the user: who, until when, and the way to end it. */
function ImpersonatedSessions({ userId }: { userId: string }) {
  const { data } = useRead('auth.session.list', { userId, limit: 50 });
  const open = (data?.sessions ?? []).filter(
    ({ impersonatedBy, endedAt }) => impersonatedBy !== null && endedAt === null,
  );
  return (
    <>
      {open.map(({ id, impersonatedBy, createdAt, expiresAt }) => (
        <Notice
          key={id}
          tone="warn"
          action={
            <OperationButton
              operation="auth.session.revoke"
              action="End impersonation"
              kind="small"
              input={{ sessionId: id }}
              done="Impersonation ended"
            />
          }
        >
          <p>
            <b>{impersonatedBy} acts as this user.</b>
          </p>
          <p>
            Opened <Time at={createdAt} />, ends {exactTime(expiresAt)} at the latest. {texts.impersonatedReadsOnly}
          </p>
        </Notice>
      ))}
    </>
  );
}

function EditLink({ user }: { user: Row }) {
  const update = operationNamed('auth.user.update');
  if (!update) return null;
  const known = ['name', 'locale', 'externalId', 'metadata', 'privateMetadata'].flatMap((name): [string, unknown][] => {
    const value = user[name];
    const isEmpty = value === null || value === undefined || Object.keys(rowAt(user, name)).length === 0;
    return typeof value === 'string' || !isEmpty ? [[name, value]] : [];
  });
  return (
    <span class="right">
      <Button
        kind="small"
        href={formAddress(update.name, { userId: user['id'], ...Object.fromEntries(known) })}
        refused={refusalFor(update)}
      >
        Edit user
      </Button>
    </span>
  );
}

const plainFields = ['id', 'externalId', 'locale', 'lastSignInAt', 'createdAt', 'updatedAt'];

const factsOf = (user: Row): Row =>
  Object.fromEntries(
    plainFields.flatMap((name) => (user[name] === null || user[name] === undefined ? [] : [[name, user[name]]])),
  );

const Identities = ({ identities }: { identities: readonly Row[] }) => (
  <Card title="Identities" flush>
    <div class="scroll" tabIndex={0} role="region" aria-label="Identities">
      <table>
        <thead>
          <tr>
            <th scope="col">Signs in with</th>
            <th scope="col">Kind</th>
            <th scope="col">Verified</th>
            <th scope="col">Added</th>
          </tr>
        </thead>
        <tbody>
          {identities.map((each) => (
            <tr key={textAt(each, 'id')}>
              <td>
                {textAt(each, 'value')} {each['primary'] === true ? <span class="tag">primary</span> : null}
              </td>
              <td>{textAt(each, 'provider') || textAt(each, 'kind')}</td>
              <td>
                {textAt(each, 'verifiedAt') === '' ? (
                  <span class="st warn">Not verified</span>
                ) : (
                  <Time at={textAt(each, 'verifiedAt')} />
                )}
              </td>
              <td class="time">
                <Time at={textAt(each, 'createdAt')} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Card>
);

/** The contact with the same address: what they were sent, and what they agreed to. */
function PersonLink({ email }: { email: string }) {
  const { data } = useRead('audience.contact.list', { query: email, limit: 5 }, { enabled: email !== '' });
  const contact = rowsAt(data, 'contacts').find((each) => textAt(each, 'email') === email);
  return (
    <Card title="Person">
      {contact === undefined ? (
        <p class="soft">{texts.noPerson}</p>
      ) : (
        <p>
          <a href={addressOf(['audience', 'contact', textAt(contact, 'id')])}>
            Consents, messages, and why they got no mail
          </a>
        </p>
      )}
    </Card>
  );
}
