import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../kit/icon.js';
import { Button, Card, Head, Loading } from '../kit/page.js';
import { Refusal } from '../kit/refusal.js';
import type { Attention, Figure, HomePart, Step } from '../kit/screen.js';
import { acting, catalogue, has } from '../kit/state.js';
import { counted } from '../kit/words.js';
import { partsOf } from './navigation.js';

/**
 * The first screen: what is left to do for a newcomer, the state of the system for an operator, and what needs
 * attention. Every product adds its part; one that fails, because a permission is missing, is left out.
 */
export function Home() {
  const [parts, setParts] = useState<readonly HomePart[]>();
  const [problem, setProblem] = useState<unknown>();
  useEffect(() => void partsOf((product) => product.home).then(setParts, setProblem), []);
  const available = <T extends { needs: string }>(all: readonly T[]): T[] => all.filter(({ needs }) => has(needs));
  return (
    <>
      <Head title="Home" sub={`${acting.value?.account ?? ''} / ${acting.value?.project ?? ''}`} />
      {problem !== undefined ? (
        <Refusal error={problem} again={() => location.reload()} />
      ) : parts === undefined ? (
        <Loading />
      ) : (
        <>
          <Checklist steps={available(parts.flatMap(({ steps = [] }) => steps))} />
          <Figures figures={available(parts.flatMap(({ figures = [] }) => figures))} />
          <NeedsAttention parts={parts} />
        </>
      )}
    </>
  );
}

/** What a promise answered; undefined while it waits. */
function useLoaded<T>(load: () => Promise<T>, otherwise: T): T | undefined {
  const [found, setFound] = useState<T>();
  useEffect(() => void load().then(setFound, () => setFound(otherwise)), []);
  return found;
}

function Checklist({ steps }: { steps: readonly Step[] }) {
  const facts = useLoaded(
    () => Promise.all(steps.map((step) => step.check().catch(() => undefined))),
    steps.map(() => undefined),
  );
  if (steps.length === 0 || (facts && facts.every((fact) => fact !== undefined))) return null;
  const done = facts?.filter((fact) => fact !== undefined).length ?? 0;
  const next = facts?.findIndex((fact) => fact === undefined);
  return (
    <Card
      flush
      title="Getting started"
      beside={
        <>
          <span class="right soft num small">
            {done} of {steps.length}
          </span>
          <progress value={done} max={steps.length} aria-label={`${counted(done, 'step')} done`} />
        </>
      }
    >
      {facts === undefined ? (
        <Loading lines={steps.length} />
      ) : (
        <ul class="todo">
          {steps.map((step, index) => {
            const fact = facts[index];
            return (
              <li class={fact === undefined ? '' : 'done'}>
                <Icon name={fact === undefined ? 'open' : 'done'} />
                <div>
                  <b>{step.title}</b> {fact === undefined ? null : <span class="unseen">(done)</span>}
                  <p>{fact ?? step.text}</p>
                </div>
                {fact === undefined ? (
                  <Button kind={index === next ? 'main' : undefined} href={step.href()}>
                    {step.action}
                  </Button>
                ) : null}
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

function Figures({ figures }: { figures: readonly Figure[] }) {
  const loaded = useLoaded(
    () => Promise.all(figures.map((figure) => figure.load().catch(() => undefined))),
    figures.map(() => undefined),
  );
  const shown = figures.flatMap((figure, index) => {
    const value = loaded?.[index];
    return value ? [{ figure, value }] : [];
  });
  if (loaded !== undefined && shown.length === 0) return null;
  return (
    <section class="stack" aria-label="Health">
      <h2>Health</h2>
      <div class="cols">
        {loaded === undefined
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

function NeedsAttention({ parts }: { parts: readonly HomePart[] }) {
  const all = useLoaded<readonly Attention[]>(async () => {
    const found = await Promise.all(
      parts.map(async ({ attention }) => {
        if (!attention) return [];
        return attention().catch((): Attention[] => []);
      }),
    );
    return found.flat();
  }, []);
  if (all === undefined) return null;
  return (
    <Card title="Needs attention" flush>
      {all.length === 0 ? (
        <p class="in soft">Nothing. {catalogue.value?.production === false ? 'This is a development server.' : ''}</p>
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
