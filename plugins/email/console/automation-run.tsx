import {
  addressOf,
  Card,
  Facts,
  Head,
  Loading,
  Notice,
  Refusal,
  Status,
  Time,
  useRead,
  choiceText,
  type ScreenProps,
} from '#core/surfaces/console/kit/index.js';
import { AutomationTree } from './automation-tree.js';
import { conditionText } from './steps.js';

const tones: Readonly<Record<string, 'good' | 'warn' | 'bad'>> = {
  sent: 'good',
  set: 'good',
  suppressed: 'warn',
  failed: 'bad',
};

/** One contact's path through an automation, shown on its step tree. */
export default function AutomationRun({ params: { automationId = '', runId = '' } }: ScreenProps) {
  const { data, error, again } = useRead('email.automation.run.get', { runId });
  const automation = useRead('email.automation.get', { automationId });
  if (error)
    return (
      <>
        <Head title="Run" />
        <Refusal error={error} again={again} />
      </>
    );
  if (!data || !automation.data) return <Loading />;
  const { run, history } = data;
  const { name, triggerEvent, triggerFilter, steps } = automation.data.automation;
  const taken = new Map(
    history.map(({ step, outcome, reason }) => [
      step,
      {
        tone: tones[outcome] ?? ('' as const),
        text: reason === null ? choiceText(outcome) : `${choiceText(outcome)}: ${choiceText(reason)}`,
      },
    ]),
  );
  const isOpen = run.status === 'waiting' || run.status === 'held';
  return (
    <>
      <Head
        title={`Run of ${name}`}
        beside={<Status status={run.status} />}
        sub={<a href={addressOf(['audience', 'contact', run.contactId])}>Show the contact</a>}
      />
      {run.endReason === null ? null : (
        <Notice
          tone={run.status === 'failed' ? 'bad' : 'warn'}
        >{`It ended early: ${choiceText(run.endReason)}.`}</Notice>
      )}
      <div class="two">
        <section class="card" aria-label="Tree">
          <AutomationTree
            trigger={{ title: triggerEvent, detail: triggerFilter ? `if ${conditionText({ ...triggerFilter })}` : '' }}
            steps={steps}
            taken={isOpen ? new Map([...taken, [run.position, { tone: 'warn', text: 'Is here' }]]) : taken}
          />
        </section>
        <div class="stack">
          <Card title="History">
            {history.length === 0 ? <p class="soft">It has taken no step yet.</p> : null}
            <ol class="line">
              {history.map(({ step, type, at, outcome, blocked, detail, messageId }, index) => (
                <li key={index} class={tones[outcome] ?? ''}>
                  <b>{`${choiceText(type.replace('.', '_'))}: ${choiceText(outcome)}`}</b>{' '}
                  <code class="faint">{step}</code>
                  <p>
                    <Time at={at} />
                    {messageId === null ? null : (
                      <>
                        {', '}
                        <a href={addressOf(['email', 'message', messageId])}>show the message</a>
                      </>
                    )}
                  </p>
                  {blocked ? (
                    <p>
                      {blocked.message} {blocked.fix}
                    </p>
                  ) : null}
                  {detail === null ? null : <p>{detail}</p>}
                </li>
              ))}
            </ol>
          </Card>
          <Card title="Run">
            <Facts row={{ ...run }} only={['startedAt', 'nextAt', 'endedAt', 'context', 'id']} product="email" />
          </Card>
        </div>
      </div>
    </>
  );
}
