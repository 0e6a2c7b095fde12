import { useEffect, useState } from 'preact/hooks';
import {
  addressOf,
  Button,
  call,
  Card,
  CopyButton,
  counted,
  Facts,
  Head,
  Loading,
  Notice,
  OperationButton,
  operationNamed,
  refreshAll,
  Refusal,
  refusalFor,
  Status,
  Time,
  useAddress,
  useRead,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { messageToColleague, shortName, zoneFile } from './domain-records.js';
import { domainTexts } from './domain-texts.js';

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
  const { go } = useAddress();
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
  const needed = domain.records.filter(({ required }) => required);
  const resultOf = (name: string, value: string) =>
    results.find((result) => result.name === name && result.expected === value);
  return (
    <>
      <Head
        title={domain.domain}
        beside={
          isOpen ? (
            <span class="st warn">
              {needed.filter(({ ok }) => ok === true).length} of {counted(needed.length, 'record')} found
            </span>
          ) : (
            <Status status={domain.status} />
          )
        }
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
            <CopyText text={zoneFile(domain.records)}>{domainTexts.zone}</CopyText>
            <CopyText text={messageToColleague(domain.domain, domain.records)}>{domainTexts.colleague}</CopyText>
            <OperationButton
              operation="email.domain.remove"
              action="Remove domain"
              kind="danger"
              input={{ domainId }}
              done="Domain removed"
              onDone={() => go(addressOf(['email', 'domain']))}
            >
              <p>{domainTexts.remove}</p>
            </OperationButton>
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
        <p class="in soft">{domainTexts.where}</p>
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
                <span class="faint small">{domainTexts.short}</span>
                <code>{shortName(name, domain.domain)}</code>
                <CopyButton
                  text={shortName(name, domain.domain)}
                  label={`Copy the short name of the ${purpose} record`}
                />
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
      <div class="cols">
        <Card title="Receive mail here too">
          <p class="soft">{domainTexts.receive}</p>
          <div class="row">
            {domain.receiving ? (
              <OperationButton
                operation="email.domain.receiving.disable"
                action="Turn off receiving"
                kind="danger"
                input={{ domainId }}
                done="Receiving turned off"
              >
                <p>{domainTexts.receiveOff}</p>
              </OperationButton>
            ) : (
              <OperationButton
                operation="email.domain.receiving.enable"
                action="Turn on receiving"
                input={{ domainId }}
                done="Receiving turned on"
              />
            )}
          </div>
        </Card>
        <Card title="Sender">
          <p class="soft">{domainTexts.sender}</p>
          <div class="row">
            <OperationButton
              operation="email.sender.set"
              action="Set the sender"
              input={{}}
              fields={['from', 'fromName']}
              initial={{ from: `hello@${domain.domain}` }}
              done="Sender set"
              refused={isOpen ? 'The records of the domain are not found yet.' : undefined}
            />
          </div>
        </Card>
      </div>
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

/** A button that copies a text, and says so until it is pressed again. */
function CopyText({ text, children }: { text: string; children: string }) {
  const [isDone, setDone] = useState(false);
  return (
    <Button
      icon={isDone ? 'check' : 'copy'}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      {isDone ? 'Copied' : children}
    </Button>
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
