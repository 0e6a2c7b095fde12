import { addressOf, Card, has, Refusal, rowsAt, textAt, Time, useRead } from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

const methods: Readonly<Record<string, string>> = {
  password: 'Password',
  code: 'Code by email',
  link: 'Link by email',
  sms: 'Code by text message',
  passkey: 'Passkey',
  oauth: 'Provider',
};

const reasons: Readonly<Record<string, string>> = {
  invalid_credentials: 'Wrong password',
  user_banned: 'The user is banned',
  passkey_rejected: 'The passkey was not accepted',
  wrong_code: 'Wrong code',
};

/** The newest sign-ins that failed and are known to be of this user; nothing without the product that keeps events. */
export const FailedSignIns = ({ userId }: { userId: string }) =>
  has('developers.event.list') ? <Failed userId={userId} /> : null;

function Failed({ userId }: { userId: string }) {
  const { data, error } = useRead('developers.event.list', {
    types: ['auth.signin.failed', 'auth.mfa.failed'],
    subjectId: userId,
    limit: 10,
  });
  const events = rowsAt(data, 'events');
  if (error) return <Refusal error={error} />;
  if (events.length === 0) return null;
  return (
    <Card title="Failed sign-ins" beside={<span class="right faint">{texts.failedSignIns}</span>}>
      <ul class="links">
        {events.map((event) => {
          const reason = textAt(event, 'data.reason');
          return (
            <li key={textAt(event, 'id')} class="row">
              <a href={addressOf(['developers', 'event', textAt(event, 'id')])}>
                {textAt(event, 'type') === 'auth.mfa.failed' ? 'Wrong second factor' : (reasons[reason] ?? reason)}
              </a>
              <span class="faint">{methods[textAt(event, 'data.method')] ?? ''}</span>
              <span class="faint right">
                <Time at={textAt(event, 'createdAt')} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
