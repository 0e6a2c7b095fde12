import { useState } from 'preact/hooks';
import {
  Empty,
  Head,
  List,
  OperationButton,
  addressOf,
  has,
  operationNamed,
  SecretDialog,
  Status,
  textAt,
  type Column,
} from '#core/surfaces/console/kit/index.js';
import { SmtpSettings } from './smtp-settings.js';
import { permissionBoxes } from './permissions.js';
import { texts } from './texts.js';

const columns: readonly Column[] = [
  { title: 'Name', field: 'name' },
  {
    title: 'Status',
    field: 'status',
    show: (row) => <Status status={textAt(row, 'revokedAt') === '' ? 'active' : 'revoked'} />,
  },
  { title: 'Key', field: 'prefix', show: (row) => <code>{textAt(row, 'prefix')}…</code> },
  { title: 'Permissions', field: 'permissions' },
  { title: 'Made by', field: 'createdBy' },
  { title: 'Last used', field: 'lastUsedAt' },
];

/** The keys of the environment, and new ones. */
export default function Keys() {
  const list = operationNamed('developers.key.list');
  const [secret, setSecret] = useState('');
  if (!list) return null;
  const create = (
    <>
      <OperationButton
        operation="developers.key.create"
        action="Create publishable key"
        input={{ kind: 'publishable' }}
        fields={['name', 'allowedOrigins']}
        done="Key created"
        onDone={({ result }) => setSecret(textAt(result, 'plaintext'))}
      >
        <p>For browsers and apps: it can only call sign-in operations.</p>
      </OperationButton>
      <OperationButton
        operation="developers.key.create"
        action="Create secret key"
        kind="main"
        opens="create"
        icon="plus"
        input={{ kind: 'secret' }}
        fields={['name', 'permissions']}
        shownAs={permissionBoxes('developers.key.create')}
        done="Key created"
        onDone={({ result }) => setSecret(textAt(result, 'plaintext'))}
      >
        <p>{texts.create}</p>
      </OperationButton>
    </>
  );
  return (
    <>
      <Head title="API keys" sub={texts.keysSub} actions={create} />
      <List
        operation={list}
        columns={columns}
        filters={['revoked']}
        hrefOf={(row) => addressOf(['developers', 'key', textAt(row, 'id')])}
        empty={<Empty title={texts.keysEmptyTitle}>{texts.keysEmpty}</Empty>}
      />
      {secret === '' ? null : (
        <SecretDialog title="The new key" secret={secret} hint={texts.secretOnce} onClose={() => setSecret('')}>
          {has('email.sender.get') && /^svc_(?:live|test)_(?!pk)/.test(secret) ? <SmtpSettings /> : null}
        </SecretDialog>
      )}
    </>
  );
}
