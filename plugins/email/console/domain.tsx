import { useEffect, useState } from 'preact/hooks';
import {
  Button,
  call,
  Card,
  CopyButton,
  Facts,
  formAddress,
  Head,
  Loading,
  Notice,
  operationNamed,
  refreshAll,
  Refusal,
  refusalFor,
  Status,
  Time,
  useRead,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';

/**
 * How often the records of a domain that is not verified yet are looked up while somebody watches, and how many times.
 */
const checkMs = 30_000;
const mostChecks = 20;

/** A sending domain: the records to publish, what the last lookup found, and a check that repeats itself. */
export default function DomainScreen({ params }: ScreenProps) {
  const domainId = params['id'] ?? '';
  const { data, error, again } = useRead('email.domain.get', { domainId });
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const verify = operationNamed('email.domain.verify');
  const remove = operationNamed('email.domain.remove');
  const refused = verify && refusalFor(verify);
  const isOpen = data !== undefined && data.domain.status !== 'verified';

  const check = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await call('email.domain.verify', { domainId }).catch(setProblem);
    await refreshAll();
    setBusy(false);
  };
  useEffect(() => {
    if (!isOpen || refused !== undefined || problem !== undefined) return;
    // Each check is a call with an audit record, so a forgotten tab stops after a while.
    const state = { left: mostChecks };
    const timer = setInterval(() => {
      if (document.hidden || state.left === 0) return;
      state.left -= 1;
      void check();
    }, checkMs);
    return () => clearInterval(timer);
  }, [isOpen, domainId, problem]);

  if (error !== null && error !== undefined) return <Refusal error={error} again={again} />;
  if (!data) return <Loading />;
  const { domain } = data;
  const results = domain.lastCheck?.records ?? [];
  const resultOf = (name: string, value: string) =>
    results.find((result) => result.name === name && result.expected === value);
  return (
    <>
      <Head
        title={domain.domain}
        beside={<Status status={domain.status} />}
        sub={
          domain.lastCheckedAt === null ? (
            'Not checked yet.'
          ) : (
            <>
              Checked <Time at={domain.lastCheckedAt} />.
            </>
          )
        }
        actions={
          <>
            <Button kind="main" icon="refresh" busy={busy} refused={refused} onClick={() => void check()}>
              {busy ? 'Checking…' : 'Check records now'}
            </Button>
            {remove ? (
              <Button kind="danger" href={formAddress(remove.name, { domainId })} refused={refusalFor(remove)}>
                Remove domain
              </Button>
            ) : null}
          </>
        }
      />
      {problem === undefined ? null : <Refusal error={problem} />}
      {domain.blocker === null ? null : (
        <Notice tone="warn">
          <p>{domain.blocker}</p>
          {isOpen ? (
            <p>The records are checked again every {checkMs / 1000} seconds for the next ten minutes.</p>
          ) : null}
        </Notice>
      )}
      <Card title="DNS records to publish" flush>
        <ul class="records">
          {domain.records.map(({ type, name, value, purpose, required, ok }) => (
            <li>
              <div class="row">
                <Status
                  status={ok === true ? 'found' : ok === false ? 'missing' : 'not checked'}
                  tone={ok === true ? 'good' : ok === false ? (required ? 'bad' : 'warn') : ''}
                />
                <span class="tag">{type}</span>
                <span class="soft">{purposes[purpose]}</span>
                {required ? null : <span class="faint">optional</span>}
              </div>
              <div class="record">
                <code>{name}</code>
                <CopyButton text={name} label={`Copy the name of the ${purpose} record`} />
              </div>
              <div class="record">
                <code>{value}</code>
                <CopyButton text={value} label={`Copy the value of the ${purpose} record`} />
              </div>
              <Found result={resultOf(name, value)} />
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Domain">
        <Facts
          product="email"
          row={{
            id: domain.id,
            providerStatus: domain.providerStatus,
            receiving: domain.receiving,
            verifiedAt: domain.verifiedAt,
            createdAt: domain.createdAt,
          }}
        />
      </Card>
    </>
  );
}

const purposes = {
  ownership: 'proves that the domain is yours',
  dkim: 'signs your mail (DKIM)',
  return_path: 'receives bounces',
  dmarc: 'states what others do with forged mail (DMARC)',
  receiving: 'receives mail',
} as const;

/** What the last lookup found in place of the record. */
function Found({ result }: { result: { found: readonly string[]; ok: boolean; fix: string | null } | undefined }) {
  if (!result || result.ok) return null;
  return (
    <p class="faint small">
      {result.found.length === 0 ? 'Nothing was found under this name.' : `Found: ${result.found.join(' · ')}`}
      {result.fix === null ? null : ` ${result.fix}`}
    </p>
  );
}
