import { Head, Loading, Refusal, rowAt, useRead, valueAt, type Row } from '#core/surfaces/console/kit/index.js';
import { Providers } from './providers.js';
import { RedirectUrls } from './redirect-urls.js';
import { Check, Section, withSetting } from './settings-section.js';
import { SigningKeys } from './signing-keys.js';
import { settingsTexts } from './texts.js';

const methods: readonly { readonly name: string; readonly label: string; readonly hint: string }[] = [
  { name: 'code', label: 'Code by email', hint: settingsTexts.code },
  { name: 'link', label: 'Link by email', hint: settingsTexts.link },
  { name: 'password', label: 'Password', hint: settingsTexts.passwordMethod },
  { name: 'passkey', label: 'Passkey', hint: settingsTexts.passkey },
  { name: 'sms', label: 'Code by text message', hint: settingsTexts.sms },
];

const isOn = (settings: Row, method: string): boolean => rowAt(settings, `methods.${method}`)['enabled'] === true;

/** How people sign in: each section is saved on its own. */
export default function Settings() {
  const { data, error, again } = useRead('auth.settings.get', {});
  if (error) return <Refusal error={error} again={again} />;
  if (!data) return <Loading />;
  const settings: Row = { ...data.settings };
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
            const off = methods.filter(({ name }) => valueAt(changed, `methods.${name}.enabled`) === false);
            return off.length === 0
              ? undefined
              : `Turned off: ${off.map(({ label }) => label.toLowerCase()).join(', ')}. ${settingsTexts.methodOff}`;
          }}
        >
          {(value, change) =>
            methods.map(({ name, label, hint }) => (
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
