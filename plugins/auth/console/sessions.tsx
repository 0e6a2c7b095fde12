import {
  Card,
  counted,
  Loading,
  OperationButton,
  Refusal,
  rowsAt,
  textAt,
  Time,
  useRead,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { texts } from './texts.js';

/** Where a user is signed in, each session with its device, and a button that ends it. */
export function Sessions({ userId }: { userId: string }) {
  const { data, error, again } = useRead('auth.session.list', { userId, limit: 50 });
  const sessions = rowsAt(data, 'sessions');
  return (
    <Card
      title="Sessions"
      flush
      beside={
        <span class="right">
          <OperationButton
            operation="auth.session.revoke"
            action="Revoke all sessions"
            kind="small"
            input={{ userId }}
            done="Sessions revoked"
            refused={data !== undefined && sessions.length === 0 ? texts.noSessions : undefined}
          >
            <p>
              {counted(sessions.length, 'session')}: {texts.revokeAll}
            </p>
          </OperationButton>
        </span>
      }
    >
      {error ? (
        <div class="in">
          <Refusal error={error} again={again} />
        </div>
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : sessions.length === 0 ? (
        <p class="in soft">{texts.noSessions}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Sessions">
          <table>
            <thead>
              <tr>
                <th scope="col">Device</th>
                <th scope="col">From</th>
                <th scope="col">Signed in by</th>
                <th scope="col">Last used</th>
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session) => (
                <SessionRow key={textAt(session, 'id')} session={session} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

const SessionRow = ({ session }: { session: Row }) => (
  <tr>
    <td>
      {[textAt(session, 'device.browser'), textAt(session, 'device.os')].filter((part) => part !== '').join(' on ') ||
        'Unknown device'}
      {textAt(session, 'impersonatedBy') === '' ? null : <span class="tag">impersonated</span>}
    </td>
    <td>{[textAt(session, 'ip'), textAt(session, 'location')].filter((part) => part !== '').join(', ')}</td>
    <td>{Array.isArray(session['methods']) ? session['methods'].join(', ') : ''}</td>
    <td class="time">
      <Time at={textAt(session, 'lastUsedAt')} />
    </td>
    <td>
      <OperationButton
        operation="auth.session.revoke"
        action="Revoke session"
        kind="small"
        input={{ sessionId: textAt(session, 'id') }}
        done="Session revoked"
      >
        <p>{texts.revokeOne}</p>
      </OperationButton>
    </td>
  </tr>
);
