import { useState } from 'preact/hooks';
import {
  acting,
  addressOf,
  Button,
  Card,
  catalogue,
  CopyButton,
  FormDialog,
  Head,
  Loading,
  Notice,
  OperationButton,
  Refusal,
  refusalFor,
  rowsAt,
  SaveProblem,
  SecretDialog,
  Tabs,
  textAt,
  Time,
  useAction,
  useAddress,
  useEdits,
  useRead,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { AppFields, appProblem, withoutEmptyLines, type AppValue } from './app-form.js';
import { guides } from './app-guides.js';
import { countOf, whoMaySignIn } from './apps.js';
import { appTexts } from './texts.js';
import { nameOf } from './users.js';

/** One app: what to enter in it, who uses it, and how its access ends. */
export default function AppScreen({ params }: ScreenProps) {
  const appId = params['id'] ?? '';
  const { data, error, again } = useRead('auth.settings.get', {});
  const users = useRead('auth.user.list', { appId, limit: 100 });
  const [secret, setSecret] = useState('');
  const { go } = useAddress();
  if (error) return <Refusal error={error} again={again} />;
  if (data === undefined) return <Loading />;
  const { apps } = data.settings;
  const app = Object.hasOwn(apps, appId) ? apps[appId] : undefined;
  if (app === undefined)
    return (
      <>
        <Head title="App" />
        <Notice tone="warn">
          <p>
            {appTexts.gone} <a href={addressOf(['auth', 'app'])}>Show the apps</a>
          </p>
        </Notice>
      </>
    );
  return (
    <>
      <Head
        title={app.name}
        beside={<span class="tag">{appId}</span>}
        sub={`${whoMaySignIn(app)} may sign in.`}
        actions={
          <>
            <EditApp appId={appId} app={app} updatedAt={data.updatedAt} />
            {app.kind === 'public' ? null : (
              <OperationButton
                operation="auth.settings.set"
                action="Rotate secret"
                input={{ apps: { [appId]: { rotateSecret: true } } }}
                done="Secret rotated"
                onDone={({ result }) => setSecret(textAt(result['appSecrets'], appId))}
              >
                <p>{appTexts.rotate}</p>
              </OperationButton>
            )}
            <OperationButton
              operation="auth.settings.set"
              action="Remove app"
              kind="danger"
              input={{ apps: { [appId]: null } }}
              done="App removed"
              onDone={() => go(addressOf(['auth', 'app']))}
            >
              <p>
                <b>{app.name}</b>: {countOf(users.data).toLowerCase()}
              </p>
              <p>{appTexts.remove}</p>
            </OperationButton>
          </>
        }
      />
      <div class="two">
        <div class="stack app-settings">
          <ToCopy appId={appId} app={app} />
          <Card title="Addresses">
            <Addresses title="Sign-ins return to" urls={app.redirectUrls} />
            {app.logoutUrls.length === 0 ? null : <Addresses title="Sign-outs return to" urls={app.logoutUrls} />}
          </Card>
        </div>
        <Card
          title="Used by"
          beside={
            <a class="right" href={addressOf(['auth', 'user'], { appId })}>
              All users of the app
            </a>
          }
        >
          {users.error ? <Refusal error={users.error} again={users.again} /> : null}
          <p class="soft">{countOf(users.data)}</p>
          <ul class="plain-list">
            {rowsAt(users.data, 'users')
              .slice(0, 10)
              .map((user) => (
                <li key={textAt(user, 'id')}>
                  <a href={addressOf(['auth', 'user', textAt(user, 'id')])}>{nameOf(user)}</a>
                  {textAt(user, 'lastSignInAt') === '' ? null : (
                    <span class="faint">
                      signed in <Time at={textAt(user, 'lastSignInAt')} />
                    </span>
                  )}
                </li>
              ))}
          </ul>
        </Card>
      </div>
      {secret === '' ? null : (
        <SecretDialog
          title="The new secret"
          secret={secret}
          hint={`${appTexts.secretOnce} ${appTexts.overlap}`}
          onClose={() => setSecret('')}
        />
      )}
    </>
  );
}

const Addresses = ({ title, urls }: { title: string; urls: readonly string[] }) => (
  <>
    <p class="soft">{title}</p>
    <ul class="plain-list">
      {urls.map((url) => (
        <li key={url}>
          <code>{url}</code>
        </li>
      ))}
    </ul>
  </>
);

/** What to enter in the app. */
function ToCopy({ appId, app }: { appId: string; app: AppValue }) {
  const [chosen, choose] = useState(guides.find(({ name }) => name === app.name)?.name ?? 'Other software');
  const issuer = `${catalogue.value?.baseUrl ?? location.origin}/auth/${acting.value?.environmentId ?? ''}`;
  const guide = guides.find(({ name }) => name === chosen);
  const text = guide?.settings({ issuer, clientId: appId, secret: app.kind !== 'public' }).join('\n') ?? '';
  return (
    <>
      <Card title="Settings to copy">
        {[
          ['Issuer', issuer],
          ['Client ID', appId],
        ].map(([name = '', value = '']) => (
          <p key={name} class="secret">
            {name}: <code>{value}</code> <CopyButton text={value} label={`Copy: ${name}`} />
          </p>
        ))}
        <p class="soft">{app.kind === 'public' ? appTexts.noSecret : appTexts.secret}</p>
      </Card>
      <Card
        title={`Settings of ${chosen}`}
        beside={<CopyButton text={text} label={`Copy the settings of ${chosen}`} />}
      >
        <Tabs label="Software" tabs={guides.map(({ name }) => name)} chosen={chosen} onChoose={choose} />
        <pre class="text" tabIndex={0} aria-label={`Settings of ${chosen}`}>
          {text}
        </pre>
        <p class="soft">
          Its redirect address has this form: <code>{guide?.redirect}</code>
        </p>
      </Card>
    </>
  );
}

function EditApp({ appId, app, updatedAt }: { appId: string; app: AppValue; updatedAt: string | null }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button refused={refusalFor('auth.settings.set')} onClick={() => setOpen(true)}>
        Edit app
      </Button>
      {isOpen ? <EditDialog appId={appId} app={app} updatedAt={updatedAt} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface EditDialogProps {
  appId: string;
  app: AppValue;
  updatedAt: string | null;
  onClose: () => void;
}

function EditDialog({ appId, app, updatedAt, onClose }: EditDialogProps) {
  const edits = useEdits(`app ${appId}`, app, updatedAt);
  const { busy, problem, clear, send } = useAction();
  const about = appProblem(problem);
  const save = async (): Promise<void> => {
    const sent = edits.value;
    const wanted = Object.entries(withoutEmptyLines(sent)).filter(([name]) => name in edits.changes);
    edits.begin();
    const changed = { apps: { [appId]: Object.fromEntries(wanted) }, ...edits.guard };
    const envelope = await send('auth.settings.set', changed, { said: 'App saved.' });
    if (!envelope) return;
    edits.saved(sent, textAt(envelope.result, 'updatedAt'));
    edits.discard();
    onClose();
  };
  return (
    <FormDialog
      title="Edit app"
      action="Save app"
      busy={busy}
      refused={edits.isDirty ? undefined : 'Nothing has changed.'}
      onSubmit={() => void save()}
      onClose={onClose}
      onCancel={() => {
        edits.discard();
        onClose();
      }}
    >
      <SaveProblem
        error={about ? undefined : problem}
        again={() => void save()}
        busy={busy}
        edits={edits}
        onMerged={clear}
      />
      <AppFields
        app={edits.value}
        problem={about}
        onChange={(changed) => {
          edits.edit({ ...edits.value, ...changed });
          clear();
        }}
      />
    </FormDialog>
  );
}
