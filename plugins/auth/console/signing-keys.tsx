import {
  acting,
  Card,
  CopyButton,
  Loading,
  OperationButton,
  Refusal,
  Status,
  Time,
  useRead,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { settingsTexts } from './texts.js';

type Key = ResultOf<'auth.signingKey.list'>['keys'][number];

/** The keys that sign access tokens, and what changing them leads to. */
export function SigningKeys() {
  const { data, error, again } = useRead('auth.signingKey.list', { limit: 10 });
  const published = `${location.origin}/auth/jwks/${acting.value?.environmentId ?? ''}`;
  return (
    <Card
      title="Signing keys"
      beside={
        <span class="right">
          <OperationButton
            operation="auth.signingKey.rotate"
            action="Rotate signing key"
            kind="small"
            input={{}}
            fields={['algorithm']}
            done="Signing key rotated"
          >
            <p>{settingsTexts.rotate}</p>
            <p>{settingsTexts.rotateAfter}</p>
          </OperationButton>
        </span>
      }
    >
      <p class="soft">
        {settingsTexts.jwks} <code>{published}</code>{' '}
        <CopyButton text={published} label="Copy the address of the keys" />
      </p>
      {error ? <Refusal error={error} again={again} /> : data === undefined ? <Loading lines={2} /> : null}
      {data?.keys.length === 0 ? <p class="soft">{settingsTexts.noKeys}</p> : null}
      {data === undefined || data.keys.length === 0 ? null : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Signing keys">
          <table>
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Algorithm</th>
                <th scope="col">Status</th>
                <th scope="col">When</th>
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.keys.map((key) => (
                <KeyRow key={key.keyId} signingKey={key} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

const KeyRow = ({ signingKey: { keyId, algorithm, status, createdAt, signsFrom, retiresAt } }: { signingKey: Key }) => (
  <tr>
    <td>
      <code title={keyId}>…{keyId.slice(-8)}</code>
    </td>
    <td>{algorithm}</td>
    <td>
      <Status status={status} tone={status === 'active' ? 'good' : status === 'published' ? 'run' : ''} />
    </td>
    <td class="time">
      {status === 'active' ? 'signs from ' : status === 'published' ? 'its tokens verify until ' : 'retired '}
      <Time at={status === 'active' ? (signsFrom ?? createdAt) : (retiresAt ?? createdAt)} />
    </td>
    <td>
      {status === 'published' ? (
        <OperationButton
          operation="auth.signingKey.retire"
          action="Retire signing key"
          kind="small"
          input={{ keyId }}
          done="Signing key retired"
        >
          <p>{settingsTexts.retire}</p>
        </OperationButton>
      ) : null}
    </td>
  </tr>
);
