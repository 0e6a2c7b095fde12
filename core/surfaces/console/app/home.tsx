import { failureIn, foundIn, outcomesOf, useAttempt, type Outcome } from '../kit/attempt.js';
import { Icon } from '../kit/icon.js';
import { Button, Card, Head, Loading } from '../kit/page.js';
import { Refusal } from '../kit/refusal.js';
import type { Attention, Figure, HomePart, Step } from '../kit/screen.js';
import { acting, catalogue, operationNamed, refusalFor } from '../kit/state.js';
import { counted } from '../kit/words.js';
import { partsOf } from './navigation.js';

/**
 * The first screen: what is left to do for a newcomer, the state of the system for an operator, and what needs
 * attention. Every product adds its part. What the person may not read is left out.
 */
export function Home() {
  const parts = useAttempt(() => partsOf((product) => product.home), []);
  return (
    <>
      <Head title="Home" sub={`${acting.value?.account ?? ''} / ${acting.value?.project ?? ''}`} />
      {parts.error !== undefined ? (
        <Refusal error={parts.error} again={parts.again} />
      ) : parts.data === undefined ? (
        <Loading />
      ) : (
        <Parts parts={parts.data} />
      )}
    </>
  );
}

const mayRead = ({ needs }: { needs: string }): boolean => {
  const operation = operationNamed(needs);
  return operation !== undefined && refusalFor(operation) === undefined;
};

const useOutcomes = <T,>(reads: readonly (() => Promise<T>)[]) => useAttempt(() => outcomesOf(reads), [], failureIn);

function Parts({ parts }: { parts: readonly HomePart[] }) {
  const steps = parts.flatMap((part) => part.steps ?? []).filter(mayRead);
  const figures = parts.flatMap((part) => part.figures ?? []).filter(mayRead);
  const facts = useOutcomes(steps.map((step) => step.check));
  const values = useOutcomes(figures.map((figure) => figure.load));
  const attention = useOutcomes(parts.flatMap((part) => part.attention ?? []));
  const failed = [facts, values, attention].filter(({ error }) => error !== undefined);
  return (
    <>
      {failed[0] ? <Refusal error={failed[0].error} again={() => failed.forEach(({ again }) => again())} /> : null}
      <Checklist steps={steps} facts={facts.data} />
      <Figures figures={figures} values={values.data} />
      <NeedsAttention outcomes={attention.data} />
    </>
  );
}

interface ChecklistProps {
  steps: readonly Step[];
  /** Of each step the fact that shows that it is done; undefined while they are read. */
  facts: readonly Outcome<string | undefined>[] | undefined;
}

/** The steps that could be checked; nothing as soon as all of them are done. */
function Checklist({ steps, facts }: ChecklistProps) {
  const known = steps.flatMap((step, at) => {
    const outcome = facts?.[at];
    return outcome?.state === 'found' ? [{ step, fact: outcome.value, refused: refusalOf(step) }] : [];
  });
  const done = known.filter(({ fact }) => fact !== undefined).length;
  if (steps.length === 0 || (facts && done === known.length)) return null;
  const total = facts ? known.length : steps.length;
  const next = known.find(({ fact, refused }) => fact === undefined && refused === undefined);
  return (
    <Card
      flush
      title="Getting started"
      beside={
        <>
          <span class="right soft num small">
            {done} of {total}
          </span>
          <progress value={done} max={total} aria-label={`${counted(done, 'step')} done`} />
        </>
      }
    >
      {facts === undefined ? (
        <Loading lines={steps.length} />
      ) : (
        <ul class="todo">
          {known.map(({ step, fact, refused }) => (
            <li class={fact === undefined ? '' : 'done'}>
              <Icon name={fact === undefined ? 'open' : 'done'} />
              <div>
                <b>{step.title}</b> {fact === undefined ? null : <span class="unseen">(done)</span>}
                <p>{fact ?? step.text}</p>
              </div>
              {fact === undefined ? (
                <Button kind={step === next?.step ? 'main' : undefined} href={step.href()} refused={refused}>
                  {step.action}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function refusalOf({ leadsTo }: Step): string | undefined {
  const operation = operationNamed(leadsTo);
  return operation && refusalFor(operation);
}

interface FiguresProps {
  figures: readonly Figure[];
  /** Undefined while they are read. */
  values: readonly Outcome<Awaited<ReturnType<Figure['load']>>>[] | undefined;
}

function Figures({ figures, values }: FiguresProps) {
  const shown = figures.flatMap((figure, at) => {
    const outcome = values?.[at];
    return outcome?.state === 'found' && outcome.value ? [{ figure, value: outcome.value }] : [];
  });
  if (figures.length === 0 || (values && shown.length === 0)) return null;
  return (
    <section class="stack" aria-label="Health">
      <h2>Health</h2>
      <div class="cols">
        {values === undefined
          ? figures.map(() => (
              <div class="card">
                <Loading lines={3} />
              </div>
            ))
          : shown.map(({ figure, value }) => (
              <a class="card fig" href={figure.href()}>
                <span class="soft">{figure.title}</span>
                <b>{value.value}</b>
                <Sparkline points={value.points ?? []} />
                <span class={`st ${value.tone ?? ''}`}>{value.note}</span>
              </a>
            ))}
      </div>
    </section>
  );
}

/** A line over time; a decoration, because its numbers are on the screen behind it. */
function Sparkline({ points }: { points: readonly number[] }) {
  const most = Math.max(...points, 1);
  const path = points
    .map((value, index) => `${(200 * index) / Math.max(1, points.length - 1)} ${34 - (32 * value) / most}`)
    .join(' L');
  return (
    <svg viewBox="0 0 200 36" preserveAspectRatio="none" aria-hidden="true">
      {points.length < 2 ? null : <path d={`M${path}`} />}
    </svg>
  );
}

function NeedsAttention({ outcomes }: { outcomes: readonly Outcome<readonly Attention[]>[] | undefined }) {
  if (outcomes === undefined) return null;
  const found = foundIn(outcomes);
  const all = found.flat();
  // “Nothing” is said only of what could be read.
  if (all.length === 0 && (found.length === 0 || failureIn(outcomes) !== undefined)) return null;
  const nothing = found.length === outcomes.length ? 'Nothing.' : 'Nothing in what you may read.';
  return (
    <Card title="Needs attention" flush>
      {all.length === 0 ? (
        <p class="in soft">
          {nothing} {catalogue.value?.production === false ? 'This is a development server.' : ''}
        </p>
      ) : (
        <ul class="todo need">
          {all.map(({ title, text, action, href }) => (
            <li>
              <Icon name="warning" />
              <div>
                <b>{title}</b>
                <p>{text}</p>
              </div>
              <Button href={href}>{action}</Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
