import { useState } from 'preact/hooks';
import {
  acting,
  addressOf,
  Card,
  Facts,
  Head,
  History,
  Loading,
  Notice,
  OperationButton,
  Refusal,
  rowsAt,
  SecretDialog,
  Status,
  textAt,
  Time,
  useAddress,
  useRead,
  type Row,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { permissionBoxes } from './permissions.js';
import { texts } from './texts.js';

/** One key: what it may do, when it was last used, and how to replace or end it. */
export default function Key({ params }: ScreenProps) {
  const id = params['id'] ?? '';
  const active = useRead('developers.key.list', { limit: 100 });
  const all = useRead('developers.key.list', { limit: 100, revoked: true });
  const [secret, setSecret] = useState<{ plaintext: string; keyId: string }>();
  const { go } = useAddress();
  const key = [...rowsAt(active.data, 'keys'), ...rowsAt(all.data, 'keys')].find((each) => textAt(each, 'id') === id);
  const problem = active.error ?? all.error;
  if (problem)
    return (
      <>
        <Head title="Key" />
        <Refusal error={problem} again={active.again} />
      </>
    );
  if (key === undefined)
    return active.data === undefined || all.data === undefined ? (
      <Loading />
    ) : (
      <>
        <Head title="Key" />
        <Notice tone="warn">
          <p>
            The key is not among the newest 100. <a href={addressOf(['developers', 'key'])}>Show the list of keys</a>
          </p>
        </Notice>
      </>
    );
  const isRevoked = textAt(key, 'revokedAt') !== '';
  return (
    <>
      <Head
        title={textAt(key, 'name')}
        beside={<Status status={isRevoked ? 'revoked' : 'active'} />}
        sub={
          <>
            <code>{textAt(key, 'prefix')}…</code>, {textAt(key, 'kind')}
          </>
        }
        actions={isRevoked ? undefined : <Actions apiKey={key} onSecret={setSecret} />}
      />
      <div class="two">
        <Card title="Key">
          <Facts
            row={key}
            only={['id', 'permissions', 'allowedOrigins', 'createdBy', 'createdAt', 'lastUsedAt', 'revokedAt']}
          />
        </Card>
        <History id={id} />
      </div>
      {secret === undefined ? null : (
        <SecretDialog
          title="The new key"
          secret={secret.plaintext}
          hint={texts.secretOnce}
          onClose={() => go(addressOf(['developers', 'key', secret.keyId]))}
        />
      )}
    </>
  );
}

/** Why the person may not change a secret key: it holds what they do not hold. */
function refusalForKey(key: Row): string | undefined {
  const here = acting.value;
  const held = Array.isArray(key['permissions']) ? key['permissions'].map(String) : [];
  const beyond = here ? held.filter((permission) => !here.permissions.has(permission)) : [];
  if (beyond.length === 0 || textAt(key, 'kind') !== 'secret') return undefined;
  return `The key holds permissions that you do not hold: ${beyond.join(', ')}. Ask somebody who holds them.`;
}

function Actions({
  apiKey,
  onSecret,
}: {
  apiKey: Row;
  onSecret: (secret: { plaintext: string; keyId: string }) => void;
}) {
  const keyId = textAt(apiKey, 'id');
  const isSecret = textAt(apiKey, 'kind') === 'secret';
  const lastUsed = textAt(apiKey, 'lastUsedAt');
  const refused = refusalForKey(apiKey);
  const use = (
    <p>
      {lastUsed === '' ? (
        'It has never been used.'
      ) : (
        <>
          It was last used <Time at={lastUsed} />.
        </>
      )}
    </p>
  );
  return (
    <>
      <OperationButton
        operation="developers.key.update"
        action="Edit key"
        input={{ keyId }}
        refused={refused}
        fields={['name', isSecret ? 'permissions' : 'allowedOrigins']}
        shownAs={permissionBoxes('developers.key.update')}
        initial={{
          name: apiKey['name'],
          ...(isSecret
            ? { permissions: apiKey['permissions'] }
            : { allowedOrigins: apiKey['allowedOrigins'] ?? undefined }),
        }}
        done="Key changed"
      />
      <OperationButton
        operation="developers.key.rotate"
        action="Rotate key"
        kind="danger"
        input={{ keyId }}
        refused={refused}
        done="Key rotated"
        onDone={({ result }) => onSecret({ plaintext: textAt(result, 'plaintext'), keyId: textAt(result, 'key.id') })}
      >
        <p>{texts.rotate}</p>
        {use}
      </OperationButton>
      <OperationButton
        operation="developers.key.revoke"
        action="Revoke key"
        kind="danger"
        input={{ keyId }}
        refused={refused}
        done="Key revoked"
      >
        <p>{texts.revoke}</p>
        {use}
      </OperationButton>
    </>
  );
}
