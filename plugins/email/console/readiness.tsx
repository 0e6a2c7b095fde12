import {
  actionTitle,
  addressOf,
  Button,
  Card,
  formAddress,
  Icon,
  operationNamed,
  Prose,
  Share,
  type ResultOf,
} from '#core/surfaces/console/kit/index.js';
import { broadcastTexts } from './texts.js';

type Broadcast = ResultOf<'email.broadcast.get'>;
type Problem = Broadcast['readiness']['problems'][number];

const number = new Intl.NumberFormat('en');

/** Who would receive it, and who would not. */
export function Audience({ audience, topic }: { audience: Broadcast['readiness']['audience']; topic: string }) {
  if (!audience)
    return (
      <Card title="Audience">
        <p class="soft">{broadcastTexts.counting}</p>
      </Card>
    );
  const { eligible, optedOut, noConsent, suppressed, exact } = audience;
  const neverAsked = noConsent - optedOut;
  const rows = [
    { tone: 'good', text: 'Will receive it', count: eligible },
    { tone: 'bad', text: `Opted out of ${topic}`, count: optedOut },
    { tone: 'warn', text: 'Never asked', count: neverAsked },
    { tone: '', text: 'Suppressed: bounce or complaint', count: suppressed },
  ] as const;
  return (
    <Card title={`${number.format(eligible)} ${eligible === 1 ? 'contact' : 'contacts'} will receive it`}>
      <Share label={rows.map(({ text, count }) => `${text}: ${number.format(count)}`).join(', ')} parts={rows} />
      <table>
        <tbody>
          {rows.map(({ tone, text, count }) => (
            <tr key={text}>
              <td>
                <span class={`st ${tone}`}>{text}</span>
              </td>
              <td class="num">{number.format(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {exact ? null : <p class="faint">{broadcastTexts.inexact}</p>}
    </Card>
  );
}

/** Readiness problems, each with the screen or form that fixes it. */
export function Checklist({
  readiness,
  broadcast,
}: {
  readiness: { readonly problems: readonly Problem[] };
  broadcast?: { readonly template: string; readonly topic: string };
}) {
  return (
    <Card title="Checklist" flush>
      <ul class="checks">
        {readiness.problems.map((problem) => (
          <li key={`${problem.code} ${problem.message}`}>
            <Icon name="alert" />
            <div>
              <b>
                <Prose text={problem.message} />
              </b>
              <p>
                <Prose text={problem.fix} />
              </p>
            </div>
            <Fix problem={problem} broadcast={broadcast} />
          </li>
        ))}
        {readiness.problems.length === 0 ? (
          <li class="ok">
            <Icon name="done" />
            <div>{broadcastTexts.ready}</div>
          </li>
        ) : null}
      </ul>
    </Card>
  );
}

/** The button for a problem: the screen of the template or topic if its fix names one, else the operation's form. */
function Fix({
  problem,
  broadcast,
}: {
  problem: Problem;
  broadcast?: { readonly template: string; readonly topic: string } | undefined;
}) {
  const [named] = (problem.fix.match(/\b[a-z]+(?:\.[a-zA-Z]+)+\b/g) ?? []).flatMap(
    (name) => operationNamed(name) ?? [],
  );
  if (named?.name.startsWith('email.template.'))
    return (
      <Button kind="small" href={addressOf(['email', 'template', ...(broadcast ? [broadcast.template] : [])])}>
        {broadcast ? 'Open template' : 'Open templates'}
      </Button>
    );
  if (broadcast && (named?.name === 'audience.topic.restore' || named?.name === 'audience.topic.get'))
    return (
      <Button kind="small" href={addressOf(['audience', 'topic', broadcast.topic])}>
        Open topic
      </Button>
    );
  return named ? (
    <Button kind="small" href={formAddress(named.name)}>
      {actionTitle(named)}
    </Button>
  ) : null;
}
