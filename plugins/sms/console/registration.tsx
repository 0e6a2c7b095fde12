import {
  acting,
  addressOf,
  Card,
  choiceText,
  Empty,
  EventsOf,
  Facts,
  Head,
  History,
  Loading,
  Notice,
  OperationForm,
  operationNamed,
  Prose,
  Refusal,
  Status,
  Time,
  useRead,
  type ResultOf,
  type Row,
} from '#core/surfaces/console/kit/index.js';
import { registrationTexts } from './texts.js';

type Registration = NonNullable<ResultOf<'sms.registration.get'>['registration']>;

const pollMs = ({ registration }: ResultOf<'sms.registration.get'>) =>
  registration?.stage === 'submitted' || registration?.stage === 'registering' ? 10_000 : undefined;

/** The registration with the carriers: its stage, who decides what, and what must be corrected. */
export default function RegistrationScreen() {
  const { data, error, again } = useRead('sms.registration.get', {}, { pollMs });
  const title = 'Carrier registration';
  if (error)
    return (
      <>
        <Head title={title} />
        <Refusal error={error} again={again} />
      </>
    );
  if (data === undefined) return <Loading />;
  const { registration, required, problems } = data;
  const stage = registration?.stage;
  if (acting.value?.kind === 'test')
    return (
      <>
        <Head title={title} />
        <Card>
          <Empty title={registrationTexts.noTest}>{registrationTexts.noTestWhy}</Empty>
        </Card>
      </>
    );
  const mustSubmit = registration === null || stage === 'action_needed' || stage === 'failed';
  return (
    <>
      <Head
        title={title}
        beside={
          registration === null ? undefined : <Status status={registration.stage} tone={tones[registration.stage]} />
        }
        sub={registrationTexts.sub}
      />
      <Stages registration={registration} />
      <Notice {...toneOf(registration, required)}>
        <p>
          <b>{standing(registration, required)}</b>
        </p>
        <p>{registration === null ? registrationTexts.whatFor : registrationTexts.next[registration.stage]}</p>
      </Notice>
      {registration === null || problems.length === 0 ? null : (
        <Card title="What must be corrected" flush>
          <ul class="checks">
            {problems.map(({ code, message, fix }) => (
              <li>
                <div>
                  <b>{message}</b>
                  <p>
                    <Prose text={fix} /> <code>{code}</code>
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {mustSubmit ? (
        <Form registration={registration} />
      ) : (
        <div class="two">
          <div class="stack">
            <Card title="What was submitted">
              <Facts row={factsOf(registration.filed)} product="sms" />
            </Card>
          </div>
          <div class="stack">
            <Decisions />
            <EventsOf id={registration.id} />
            <History id={registration.id} />
          </div>
        </div>
      )}
      {mustSubmit ? <Decisions /> : null}
    </>
  );
}

/** In words, in place of the values that the interface has. */
const factsOf = (filed: Registration['filed']): Row =>
  Object.fromEntries(
    Object.entries(filed).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && ['entityType', 'useCase', 'monthlyVolume'].includes(name)
        ? choiceText(value).replaceAll('_', ' ')
        : value,
    ]),
  );

const tones = { submitted: 'run', registering: 'run', active: 'good', action_needed: 'bad', failed: 'bad' } as const;

/** Whether texts are sent now. */
function standing(registration: Registration | null, required: boolean): string {
  if (!required) return registrationTexts.notRequired;
  if (registration === null) return registrationTexts.missing;
  return registration.stage === 'failed' ? registrationTexts.blocked : registrationTexts.sends;
}

function toneOf(registration: Registration | null, required: boolean): { tone?: 'good' | 'warn' | 'bad' } {
  if (!required) return {};
  switch (registration?.stage) {
    case 'failed':
      return { tone: 'bad' };
    case 'active':
      return { tone: 'good' };
    case undefined:
    case 'action_needed':
      return { tone: 'warn' };
    default:
      return {};
  }
}

const stages = ['Submit', 'Carriers decide', 'Active'] as const;

/** How far it is. */
function Stages({ registration }: { registration: Registration | null }) {
  const at =
    registration === null
      ? 0
      : { submitted: 1, registering: 1, action_needed: 0, failed: 0, active: 3 }[registration.stage];
  return (
    <section class="card" aria-label="Stages">
      <ol class="steps few">
        {stages.map((name, index) => (
          <li class={index < at ? 'done' : ''} aria-current={index === at ? 'step' : undefined}>
            {index === 0 && registration !== null && at === 0 ? 'Correct and submit again' : name}
            {index === 1 && at === 1 && registration !== null ? (
              <span class="faint">
                since <Time at={registration.updatedAt} />
              </span>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The form, with what was submitted before. The tax number is stored masked, so it is entered again. */
function Form({ registration }: { registration: Registration | null }) {
  const submit = operationNamed('sms.registration.submit');
  if (!submit) return null;
  const { taxId: _masked, ...filed } = registration?.filed ?? { taxId: null };
  return (
    <section class="stack" aria-labelledby="registration-form">
      <h2 id="registration-form">{registration === null ? 'Submit it' : 'Correct it and submit it again'}</h2>
      {registration === null || registration.filed.taxId === null ? null : (
        <p class="soft">
          {registrationTexts.taxAgain} <code>{registration.filed.taxId}</code>
        </p>
      )}
      <OperationForm
        operation={submit}
        initial={registration === null ? { taxId: undefined } : { taxId: undefined, ...filed }}
        action={registration === null ? 'Submit registration' : 'Submit it again'}
      />
    </section>
  );
}

/** Who decides what, and when. */
const Decisions = () => (
  <Card title="Who decides what">
    <dl class="facts">
      {registrationTexts.decisions.map(({ who, what }) => (
        <>
          <dt>{who}</dt>
          <dd>{what}</dd>
        </>
      ))}
    </dl>
    <p class="soft">
      {registrationTexts.numbers} <a href={addressOf(['sms', 'number'])}>Numbers</a>
    </p>
  </Card>
);
