import { useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  Card,
  Empty,
  FormDialog,
  Head,
  Loading,
  Refusal,
  refusalFor,
  rowsAt,
  SecretDialog,
  TextInput,
  textAt,
  useAction,
  useAddress,
  useFields,
  useOpened,
  useRead,
  useReadEach,
} from '#core/surfaces/console/kit/index.js';
import { AppFields, appProblem, newApp, withoutEmptyLines, type AppValue } from './app-form.js';
import { appTexts } from './texts.js';

/** How many users are counted. */
const counted = 100;

/** Who may sign in to an app, in words. */
export const whoMaySignIn = ({ organizations, minimumRole }: AppValue): string =>
  organizations.length === 0
    ? 'Everyone'
    : `${minimumRole === 'member' ? 'Members' : minimumRole === 'admin' ? 'Admins and owners' : 'Owners'} of ${organizations.length === 1 ? '1 organization' : `${organizations.length} organizations`}`;

/** The apps that users of the environment sign in to by OpenID Connect. */
export default function Apps() {
  const { data, error, again } = useRead('auth.settings.get', {});
  const [isOpen, setOpen] = useOpened('create', refusalFor('auth.settings.set'));
  const [secret, setSecret] = useState<{ readonly appId: string; readonly secret: string }>();
  const { go } = useAddress();
  if (error) return <Refusal error={error} again={again} />;
  if (data === undefined) return <Loading />;
  const apps = Object.entries(data.settings.apps);
  const connect = (
    <Button kind="main" icon="plus" refused={refusalFor('auth.settings.set')} onClick={() => setOpen(true)}>
      Connect an app
    </Button>
  );
  return (
    <>
      <Head title="Apps" sub={appTexts.sub} actions={connect} />
      {apps.length === 0 ? <Empty title={appTexts.emptyTitle}>{appTexts.empty}</Empty> : <List apps={apps} />}
      {isOpen ? (
        <NewApp
          taken={apps.map(([id]) => id)}
          updatedAt={data.updatedAt}
          onClose={() => setOpen(false)}
          onMade={(appId, made) => {
            setOpen(false);
            if (made === undefined) go(addressOf(['auth', 'app', appId]));
            else setSecret({ appId, secret: made });
          }}
        />
      ) : null}
      {secret === undefined ? null : (
        <SecretDialog
          title="The secret of the app"
          secret={secret.secret}
          hint={appTexts.secretOnce}
          onClose={() => go(addressOf(['auth', 'app', secret.appId]))}
        />
      )}
    </>
  );
}

function List({ apps }: { apps: readonly (readonly [string, AppValue])[] }) {
  const users = useReadEach(
    'auth.user.list',
    apps.map(([appId]) => ({ appId, limit: counted })),
  );
  return (
    <Card flush>
      <div class="scroll" tabIndex={0} role="region" aria-label="Apps">
        <table>
          <thead>
            <tr>
              <th scope="col">App</th>
              <th scope="col">Client ID</th>
              <th scope="col">Who may sign in</th>
              <th scope="col">Used by</th>
            </tr>
          </thead>
          <tbody>
            {apps.map(([appId, app], index) => (
              <tr key={appId}>
                <td>
                  <a class="row-link" href={addressOf(['auth', 'app', appId])}>
                    {app.name}
                  </a>{' '}
                  {app.firstParty ? null : <span class="tag">asks for consent</span>}
                </td>
                <td>
                  <code>{appId}</code>
                </td>
                <td>{whoMaySignIn(app)}</td>
                <td>{countOf(users.data?.[index])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/** How many users an app has, as the first page says it. */
export function countOf(page: unknown): string {
  if (page === undefined) return '–';
  const found = rowsAt(page, 'users').length;
  if (textAt(page, 'nextBefore') !== '') return `${counted} users or more`;
  return found === 0 ? 'Nobody yet' : found === 1 ? '1 user' : `${found} users`;
}

/** A client ID made from a name. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);

interface NewAppProps {
  taken: readonly string[];
  updatedAt: string | null;
  onClose: () => void;
  onMade: (appId: string, secret: string | undefined) => void;
}

function NewApp({ taken, updatedAt, onClose, onMade }: NewAppProps) {
  const fields = useFields<{ readonly id: string | null; readonly app: AppValue }>('app new', {
    id: null,
    app: newApp,
  });
  const { busy, problem, clear, run } = useAction();
  const { app } = fields.values;
  const id = fields.values.id ?? idOf(app.name);
  const about = appProblem(problem);
  const isTaken = taken.includes(id);
  const { name, redirectUrls } = withoutEmptyLines(app);
  const missing =
    name.trim() === ''
      ? 'Enter a name.'
      : redirectUrls.length === 0
        ? 'Enter a redirect address.'
        : id === ''
          ? 'Enter a client ID.'
          : isTaken
            ? appTexts.taken
            : undefined;
  const add = async (): Promise<void> => {
    const since = updatedAt === null ? {} : { ifUnchangedSince: updatedAt };
    const made = await run('auth.settings.set', { apps: { [id]: withoutEmptyLines(app) }, ...since }, 'App connected.');
    if (!made) return;
    fields.clear();
    onMade(id, made.appSecrets?.[id]);
  };
  return (
    <FormDialog
      title="Connect an app"
      action="Connect app"
      busy={busy}
      refused={missing}
      onSubmit={() => void add()}
      onClose={onClose}
      onCancel={() => {
        fields.clear();
        onClose();
      }}
    >
      {problem === undefined || about ? null : <Refusal error={problem} again={() => void add()} />}
      <AppFields
        app={app}
        problem={about}
        onChange={(changed) => {
          fields.set({ app: { ...app, ...changed } });
          clear();
        }}
      />
      <TextInput
        label="Client ID"
        value={id}
        mono
        required
        hint={appTexts.clientId}
        error={isTaken ? appTexts.taken : about?.field === 'id' ? about.text : undefined}
        onInput={(text) => {
          fields.set({ id: text });
          clear();
        }}
      />
    </FormDialog>
  );
}
