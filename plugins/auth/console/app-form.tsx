import {
  has,
  isSvcError,
  Labelled,
  rowsAt,
  SelectInput,
  TextInput,
  textAt,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import type { ResultOf } from '#core/surfaces/console/kit/index.js';
import { guides } from './app-guides.js';
import { Check } from './settings-section.js';
import { appTexts } from './texts.js';

/** An app as the settings have it. */
export type AppValue = NonNullable<ResultOf<'auth.settings.get'>['settings']['apps'][string]>;

/** What a new app begins with. */
export const newApp: AppValue = {
  name: '',
  kind: 'confidential',
  redirectUrls: [],
  logoutUrls: [],
  firstParty: true,
  organizations: [],
  minimumRole: 'member',
  scopes: ['profile', 'email', 'phone', 'groups', 'offline_access'],
  accessTokenSeconds: null,
};

/** Lists without the empty lines that somebody typed. */
export const withoutEmptyLines = (app: AppValue): AppValue => ({
  ...app,
  redirectUrls: filled(app.redirectUrls),
  logoutUrls: filled(app.logoutUrls),
});

const filled = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter((line) => line !== '');

/** The field of an app that a refusal is about, with its words. */
export function appProblem(error: unknown): { readonly field: string; readonly text: string } | undefined {
  if (!isSvcError(error)) return undefined;
  const named = textAt(error.details, 'field');
  const [, field] = /^apps\..+?\.(name|redirectUrls|logoutUrls|organizations)\b/.exec(named) ?? [];
  if (field !== undefined) return { field, text: `${error.message} ${error.fix}` };
  return /^apps\./.test(named) ? { field: 'id', text: `${error.message} ${error.fix}` } : undefined;
}

interface AppFieldsProps {
  app: AppValue;
  onChange: (changed: Partial<AppValue>) => void;
  problem: ReturnType<typeof appProblem>;
}

/** The fields of an app. */
export function AppFields({ app, onChange, problem }: AppFieldsProps) {
  const at = (field: string): string | undefined => (problem?.field === field ? problem.text : undefined);
  const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'));
  return (
    <>
      <TextInput
        label="Name"
        value={app.name}
        required
        hint={appTexts.name}
        error={at('name')}
        onInput={(name) => onChange({ name })}
      />
      <TextInput
        label="Redirect addresses"
        value={app.redirectUrls.join('\n')}
        lines={2}
        mono
        required
        placeholder={guides[0]?.redirect ?? ''}
        hint={appTexts.redirectUrls}
        error={at('redirectUrls')}
        onInput={(text) => onChange({ redirectUrls: lines(text) })}
      />
      <SelectInput
        label="Where it runs"
        value={app.kind}
        options={[
          { value: 'confidential', text: 'On a server, with a secret' },
          { value: 'public', text: 'In a browser or on a device, without a secret' },
        ]}
        hint={appTexts.kind}
        onChange={(kind) => onChange({ kind: kind === 'public' ? 'public' : 'confidential' })}
      />
      <Check
        label="It is our own app"
        hint={appTexts.firstParty}
        checked={app.firstParty}
        onChange={(firstParty) => onChange({ firstParty })}
      />
      <details class="more">
        <summary>Who may sign in, and sign-out addresses</summary>
        <div class="stack">
          <Organizations app={app} onChange={onChange} error={at('organizations')} />
          <TextInput
            label="Sign-out addresses"
            value={app.logoutUrls.join('\n')}
            lines={2}
            mono
            hint={appTexts.logoutUrls}
            error={at('logoutUrls')}
            onInput={(text) => onChange({ logoutUrls: lines(text) })}
          />
        </div>
      </details>
    </>
  );
}

const offered = 100;

/** Everyone, or members of organizations. */
function Organizations({ app, onChange, error }: Omit<AppFieldsProps, 'problem'> & { error: string | undefined }) {
  const { data } = useRead('auth.org.list', { limit: offered }, { enabled: has('auth.org.list') });
  const known = rowsAt(data, 'organizations').map((row) => ({ id: textAt(row, 'id'), name: textAt(row, 'name') }));
  const others = app.organizations.filter((id) => !known.some((each) => each.id === id));
  const shown = [...others.map((id) => ({ id, name: id })), ...known];
  return (
    <>
      <fieldset class="field group">
        <legend>Only members of these organizations</legend>
        {error === undefined ? null : <span class="error">{error}</span>}
        <span class="hint">{appTexts.organizations}</span>
        <div class="boxes app-organizations">
          {shown.map(({ id, name }) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={app.organizations.includes(id)}
                onChange={({ currentTarget }) =>
                  onChange({
                    organizations: currentTarget.checked
                      ? [...app.organizations, id]
                      : app.organizations.filter((each) => each !== id),
                  })
                }
              />
              {name}
            </label>
          ))}
        </div>
        {known.length < offered ? null : <span class="hint">{appTexts.moreOrganizations}</span>}
      </fieldset>
      {app.organizations.length === 0 ? null : (
        <Labelled label="With at least the role">
          {(attributes) => (
            <select
              class="input"
              {...attributes}
              value={app.minimumRole}
              onChange={({ currentTarget: { value } }) =>
                onChange({ minimumRole: value === 'owner' || value === 'admin' ? value : 'member' })
              }
            >
              <option value="member">Member</option>
              <option value="admin">Admin</option>
              <option value="owner">Owner</option>
            </select>
          )}
        </Labelled>
      )}
    </>
  );
}
