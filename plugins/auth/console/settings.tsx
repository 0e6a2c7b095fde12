import { has, Head, Loading, Refusal, rowAt, useRead, valueAt, type Row } from '#core/surfaces/console/kit/index.js';
import { Providers } from './providers.js';
import { RedirectUrls } from './redirect-urls.js';
import { Check, Section, withSetting } from './settings-section.js';
import { SigningKeys } from './signing-keys.js';
import { settingsTexts } from './texts.js';

interface Method {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
}

const methods: readonly Method[] = [
  { name: 'code', label: 'Code by email', hint: settingsTexts.code },
  { name: 'link', label: 'Link by email', hint: settingsTexts.link },
  { name: 'password', label: 'Password', hint: settingsTexts.passwordMethod },
  { name: 'passkey', label: 'Passkey', hint: settingsTexts.passkey },
  { name: 'sms', label: 'Code by text message', hint: settingsTexts.sms },
];

/** A provider is on unless it is turned off. */
const isOn = (settings: Row, method: string): boolean =>
  (valueAt(settings, `methods.${method}.enabled`) ?? !methods.some(({ name }) => name === method)) === true;

/** A method within a sentence. The name of a provider is kept as it is. */
const inSentence = ({ name, label }: Method): string =>
  methods.some((each) => each.name === name) ? label.toLowerCase() : label;

/** The built-in methods, and the providers that are configured or turned off. */
function methodsOf(settings: Row, apps: readonly { readonly provider: string; readonly name: string }[]): Method[] {
  const shown: readonly Method[] = [
    ...methods,
    ...apps.map(({ provider, name }) => ({ name: provider, label: name, hint: settingsTexts.provider })),
  ];
  const others = Object.keys(rowAt(settings, 'methods')).filter((name) => !shown.some((each) => each.name === name));
  return [...shown, ...others.map((name) => ({ name, label: name, hint: settingsTexts.unknownProvider }))];
}

/** The screen of the sign-in settings. Each section is saved on its own. */
export default function Settings() {
  const { data, error, again } = useRead('auth.settings.get', {});
  const apps = useRead('auth.oauth.app.list', { limit: 50 }, { enabled: has('auth.oauth.app.list') });
  if (error) return <Refusal error={error} again={again} />;
  if (!data) return <Loading />;
  const settings: Row = { ...data.settings };
  const offered = methodsOf(settings, apps.data?.apps ?? []);
  return (
    <>
      <Head title="Sign-in settings" sub={settingsTexts.sub} />
      <div class="stack sign-in-settings">
        <RedirectUrls urls={data.settings.redirectUrls} />
        <Section
          title="Methods"
          names={['methods']}
          settings={settings}
          text={settingsTexts.methods}
          consequence={(changed) => {
            const off = offered.filter(({ name }) => valueAt(changed, `methods.${name}.enabled`) === false);
            return off.length === 0
              ? undefined
              : `Turned off: ${off.map(inSentence).join(', ')}. ${settingsTexts.methodOff}`;
          }}
        >
          {(value, change) =>
            offered.map(({ name, label, hint }) => (
              <Check
                key={name}
                label={label}
                hint={hint}
                checked={isOn(value, name)}
                onChange={(enabled) => change(withSetting(value, ['methods', name], { enabled }))}
              />
            ))
          }
        </Section>
        <Providers settings={settings} />
        <Section
          title="Second factor"
          names={['mfa']}
          settings={settings}
          consequence={(changed) => (valueAt(changed, 'mfa.required') === true ? settingsTexts.mfaRequired : undefined)}
        >
          {(value, change) => (
            <Check
              label="Require a second factor"
              hint={settingsTexts.mfa}
              checked={valueAt(value, 'mfa.required') === true}
              onChange={(required) => change(withSetting(value, ['mfa', 'required'], required))}
            />
          )}
        </Section>
        <Section title="Passwords" names={['password']} settings={settings} text={settingsTexts.password} />
        <Section title="Who can sign up" names={['signup']} settings={settings} text={settingsTexts.signup} />
        <Section
          title="Sessions"
          names={['accessTokenSeconds', 'refreshTokenSeconds']}
          settings={settings}
          text={settingsTexts.sessions}
        />
        <SigningKeys />
        <Section
          title="What users may do"
          names={['organizations', 'selfDelete', 'impersonation']}
          settings={settings}
        />
        <Section
          title="Limits"
          names={['rateLimits', 'botProtection']}
          settings={settings}
          text={settingsTexts.limits}
        />
        <Section title="Claims" names={['claims']} settings={settings} text={settingsTexts.claims} />
        <Section title="Passkeys" names={['passkeys']} settings={settings} consequence={() => settingsTexts.rpId} />
      </div>
    </>
  );
}
