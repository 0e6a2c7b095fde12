import {
  addressOf,
  Button,
  Card,
  CopyButton,
  Empty,
  Head,
  Loading,
  Refusal,
  useRead,
} from '#core/surfaces/console/kit/index.js';
import { apps } from './connect-apps.js';
import { connectTexts } from './texts.js';

/** What to enter in apps that send by SMTP. */
export default function Connect() {
  const { data, error, again } = useRead('email.sender.get', {});
  const head = (
    <Head
      title="Connect an app"
      sub={connectTexts.sub}
      actions={<Button href={addressOf(['developers', 'key'])}>API keys</Button>}
    />
  );
  if (error)
    return (
      <>
        {head}
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const { smtp, sender, ownAddress } = data;
  if (smtp === null)
    return (
      <>
        {head}
        <Empty title="SMTP is off.">{connectTexts.off}</Empty>
      </>
    );
  const from = sender.from ?? ownAddress;
  const values: readonly (readonly [name: string, value: string])[] = [
    ['Host', smtp.host],
    ...(smtp.startTlsPort === null ? [] : [['Port with STARTTLS', String(smtp.startTlsPort)] as const]),
    ...(smtp.tlsPort === null ? [] : [['Port with SSL/TLS', String(smtp.tlsPort)] as const]),
    ['From', from],
  ];
  return (
    <>
      {head}
      <div class="stack">
        <Card title="Settings">
          <p class="soft">{connectTexts.password}</p>
          {values.map(([name, value]) => (
            <p class="secret">
              {name}: <code>{value}</code> <CopyButton text={value} label={`Copy: ${name}`} />
            </p>
          ))}
        </Card>
        {apps.map(({ name, settings }) => {
          const text = settings(smtp, from).join('\n');
          return (
            <Card title={name} beside={<CopyButton text={text} label={`Copy the settings of ${name}`} />} flush>
              <pre class="text" tabIndex={0} aria-label={`Settings of ${name}`}>
                {text}
              </pre>
            </Card>
          );
        })}
      </div>
    </>
  );
}
