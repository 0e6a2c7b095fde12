import {
  Button,
  Card,
  CopyButton,
  formAddress,
  has,
  Loading,
  OperationButton,
  Refusal,
  refusalFor,
  Status,
  useRead,
  valueAt,
  type ResultOf,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { settingsTexts } from './texts.js';

type App = ResultOf<'auth.oauth.app.list'>['apps'][number];

/** The providers that people sign in with, each with the callback URL to register there. */
export function Providers({ settings }: { settings: Row }) {
  const { data, error, again } = useRead('auth.oauth.app.list', { limit: 50 });
  if (!has('auth.oauth.app.set')) return null;
  return (
    <Card
      title="Providers"
      flush={data !== undefined && data.apps.length > 0}
      beside={
        <span class="right">
          <Button
            kind="small"
            icon="plus"
            href={formAddress('auth.oauth.app.set')}
            refused={refusalFor('auth.oauth.app.set')}
          >
            Add provider
          </Button>
        </span>
      }
    >
      {error ? <Refusal error={error} again={again} /> : data === undefined ? <Loading lines={2} /> : null}
      {data?.apps.length === 0 ? <p class="soft">{settingsTexts.noProviders}</p> : null}
      {data === undefined || data.apps.length === 0 ? null : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Providers">
          <table>
            <thead>
              <tr>
                <th scope="col">Provider</th>
                <th scope="col">State</th>
                <th scope="col">Callback URL to register there</th>
                <th scope="col">
                  <span class="unseen">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.apps.map((app) => (
                <ProviderRow key={app.provider} app={app} settings={settings} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** A provider is used if it is enabled itself, and its method is not turned off in the settings. */
function ProviderRow({ app, settings }: { app: App; settings: Row }) {
  const isOff = valueAt(settings, `methods.${app.provider}.enabled`) === false;
  return (
    <tr>
      <td>
        <b>{app.name}</b> <span class="faint">{app.provider}</span>
      </td>
      <td>
        <Status status={app.enabled && !isOff ? 'enabled' : 'disabled'} />{' '}
        {app.enabled && isOff ? <span class="faint">{settingsTexts.providerOff}</span> : null}
      </td>
      <td>
        <code>{app.callbackUrl}</code>{' '}
        <CopyButton text={app.callbackUrl} label={`Copy the callback URL of ${app.name}`} />
      </td>
      <td>
        <span class="row">
          <Button
            kind="small"
            href={formAddress('auth.oauth.app.set', {
              provider: app.provider,
              name: app.name,
              clientId: app.clientId,
              issuer: app.issuer ?? undefined,
              scopes: app.scopes,
              enabled: app.enabled,
            })}
            refused={refusalFor('auth.oauth.app.set')}
            label={`Change ${app.name}`}
          >
            Change
          </Button>
          <OperationButton
            operation="auth.oauth.app.remove"
            action="Remove provider"
            kind="small"
            input={{ provider: app.provider }}
            done="Provider removed"
          >
            <p>{settingsTexts.removeProvider}</p>
          </OperationButton>
        </span>
      </td>
    </tr>
  );
}
