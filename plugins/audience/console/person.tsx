import {
  addressOf,
  Button,
  Card,
  Facts,
  formAddress,
  has,
  Head,
  History,
  LiftButton,
  Loading,
  OperationButton,
  operationNamed,
  Refusal,
  refusalFor,
  rowAt,
  rowsAt,
  Status,
  suppressionWords,
  textAt,
  Time,
  useAddress,
  useRead,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { Consents } from './consents.js';
import { PersonMessages } from './person-messages.js';
import { personTexts } from './person-texts.js';
import { ReachTable } from './reach-table.js';
import { WhyNot } from './why-not.js';

/** One person: whether they can be reached and why not, what they were sent, what they said, and how they sign in. */
export default function Person({ params }: ScreenProps) {
  const contactId = params['id'] ?? '';
  const { data, error, again } = useRead('audience.contact.get', { contactId });
  if (error)
    return (
      <>
        <Head title="Person" />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const contact = rowAt(data, 'contact');
  const [email, phone] = [textAt(contact, 'email'), textAt(contact, 'phone')];
  return (
    <>
      <Head
        title={nameOf(contact)}
        sub={[email, phone, textAt(contact, 'locale')].filter((part) => part !== '').join(' · ') || 'No address'}
        actions={<Actions contact={contact} />}
      />
      <ReachTable
        name={textAt(contact, 'firstName')}
        reach={rowsAt(data, 'reach')}
        consents={rowsAt(data, 'consents')}
        suppressions={rowsAt(data, 'suppressions')}
      />
      <WhyNot contact={contact} reach={rowsAt(data, 'reach')} suppressions={rowsAt(data, 'suppressions')} />
      <div class="two">
        <div class="stack">
          {email !== '' && has('email.message.list') ? <PersonMessages channel="email" to={email} /> : null}
          {phone !== '' && has('sms.message.list') ? <PersonMessages channel="sms" to={phone} /> : null}
          <Consents contactId={contactId} />
        </div>
        <div class="stack">
          <Suppressions suppressions={rowsAt(data, 'suppressions')} />
          <Card title="Contact" beside={<EditLink contact={contact} />}>
            <Facts row={factsOf(contact)} />
          </Card>
          {has('auth.user.list') ? <SignIn email={email} phone={phone} /> : null}
          <History id={contactId} />
        </div>
      </div>
    </>
  );
}

const nameOf = (contact: Row): string =>
  [textAt(contact, 'firstName'), textAt(contact, 'lastName')].filter((part) => part !== '').join(' ') ||
  textAt(contact, 'email') ||
  textAt(contact, 'phone') ||
  textAt(contact, 'externalId') ||
  'Person without a name';

function Actions({ contact }: { contact: Row }) {
  const { go } = useAddress();
  const [contactId, email, phone] = [textAt(contact, 'id'), textAt(contact, 'email'), textAt(contact, 'phone')];
  const send = operationNamed('email.send');
  return (
    <>
      {send && email !== '' ? (
        <Button icon="send" href={addressOf(['email', 'compose'], { contactId })} refused={refusalFor(send)}>
          Send email
        </Button>
      ) : null}
      <OperationButton
        operation="audience.suppression.add"
        action="Suppress address"
        input={email === '' ? { phone } : { email }}
        fields={['note']}
        done="Address suppressed"
        refused={email === '' && phone === '' ? 'The contact has no address.' : undefined}
      >
        <p>{personTexts.suppress}</p>
      </OperationButton>
      <OperationButton
        operation="audience.contact.delete"
        action="Erase contact"
        kind="danger"
        input={{ contactId }}
        done="Contact erased"
        onDone={() => go(addressOf(['audience', 'contact']))}
      >
        <p>{personTexts.erase}</p>
      </OperationButton>
    </>
  );
}

function EditLink({ contact }: { contact: Row }) {
  const update = operationNamed('audience.contact.update');
  if (!update) return null;
  const known = ['email', 'phone', 'externalId', 'firstName', 'lastName', 'locale', 'timeZone', 'properties'].flatMap(
    (name): [string, unknown][] => {
      const value = contact[name];
      return value === null || value === undefined ? [] : [[name, value]];
    },
  );
  return (
    <span class="right">
      <Button
        kind="small"
        href={formAddress(update.name, {
          ...{ contactId: contact['id'], ...Object.fromEntries(known) },
          ifUnchangedSince: contact['updatedAt'],
        })}
        refused={refusalFor(update)}
      >
        Edit contact
      </Button>
    </span>
  );
}

/** What is known, without what is empty; the properties by their own names. */
const factsOf = (contact: Row): Row => {
  const { properties: _, ...own } = contact;
  return Object.fromEntries(
    [...Object.entries(own), ...Object.entries(rowAt(contact, 'properties'))].filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  );
};

const Suppressions = ({ suppressions }: { suppressions: readonly Row[] }) =>
  suppressions.length === 0 ? null : (
    <Card title="Suppressed">
      {suppressions.map((each) => (
        <div class="stack tight" key={textAt(each, 'id')}>
          <p>
            <Status status="suppressed" /> {textAt(each, 'email') || textAt(each, 'phone')}
          </p>
          <p class="soft">
            {suppressionWords(textAt(each, 'reason'))}, <Time at={textAt(each, 'createdAt')} />
            {textAt(each, 'note') === '' ? null : `: ${textAt(each, 'note')}`}
          </p>
          <div class="row">
            {each['liftable'] === true ? (
              <LiftButton suppressionId={textAt(each, 'id')} />
            ) : (
              <span class="faint">Only the person can lift it.</span>
            )}
            <a href={addressOf(['account', 'activity'], { subjectId: textAt(each, 'id') })}>Audit records</a>
          </div>
        </div>
      ))}
    </Card>
  );

/** The sign-in user with the same address or number. */
function SignIn({ email, phone }: { email: string; phone: string }) {
  const query = email || phone;
  const { data, error } = useRead('auth.user.list', { query, limit: 5 }, { enabled: query !== '' });
  const user = rowsAt(data, 'users').find(
    (each) => (email !== '' && textAt(each, 'email') === email) || (phone !== '' && textAt(each, 'phone') === phone),
  );
  const userId = textAt(user, 'id');
  return (
    <Card
      title="Sign-in"
      beside={
        user === undefined ? undefined : (
          <a class="right" href={addressOf(['auth', 'user', userId])}>
            Show user
          </a>
        )
      }
    >
      {error ? <Refusal error={error} /> : query !== '' && data === undefined ? <Loading lines={3} /> : null}
      {user === undefined && (data !== undefined || query === '') ? <p class="soft">{personTexts.noUser}</p> : null}
      {user === undefined ? null : (
        <Facts
          row={{
            name: user['name'],
            status: user['bannedAt'] === null ? 'active' : 'banned',
            lastSignIn: user['lastSignInAt'],
            created: user['createdAt'],
          }}
        />
      )}
    </Card>
  );
}
