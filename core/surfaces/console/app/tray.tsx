import type { ComponentChildren } from 'preact';
import { Button } from '../kit/page.js';
import { Progress } from '../kit/progress.js';
import { useRead } from '../kit/read.js';
import { operationNamed, type Row } from '../kit/state.js';
import { textAt, valueAt } from '../kit/value.js';
import { choiceText } from '../kit/words.js';
import { dropWork, stopWork, works, type ServerWork, type TabWork } from '../kit/work.js';

const pollMs = 2_000;
const number = new Intl.NumberFormat('en');

/** Work that is going on or has just ended, on every screen. */
export function Tray() {
  const shown = works();
  if (shown.length === 0) return null;
  return (
    <section class="tray" aria-label="Running work">
      <ul>
        {shown.map((work) => (
          <li key={work.id}>{work.is === 'server' ? <OnServer work={work} /> : <InTab work={work} />}</li>
        ))}
      </ul>
    </section>
  );
}

function OnServer({ work }: { work: ServerWork }) {
  const { id, operation, input, title, href } = work;
  const progress = operationNamed(operation)?.progress;
  const path = progress?.status ?? '';
  const final = [...(progress?.succeeded ?? []), ...(progress?.failed ?? [])];
  const isOver = (reply: Row): boolean => final.includes(textAt(reply, path));
  const { data, error } = useRead(operation, input, { pollMs: pollUntil(isOver, operation) });
  const status = data ? textAt(data, path) : '';
  const numberAt = (at: string | undefined): number => Number(data && at !== undefined ? (valueAt(data, at) ?? 0) : 0);
  const [done, total] = [numberAt(progress?.done), numberAt(progress?.total)];
  const ended = data !== undefined && isOver(data);
  const failed = ended && (progress?.failed ?? []).includes(status);
  return (
    <Line
      title={<a href={href}>{title}</a>}
      name={title}
      done={done}
      total={total}
      running={!ended && !error}
      tone={failed || error ? 'bad' : ended ? 'good' : 'run'}
      text={error ? 'Its progress cannot be read.' : status === '' ? 'Begins' : choiceText(status)}
      onDrop={() => dropWork(id)}
    />
  );
}

/** One function for each operation, because a new one would begin the reads again. */
const polls = new Map<string, (reply: Row) => number | undefined>();
function pollUntil(isOver: (reply: Row) => boolean, operation: string): (reply: Row) => number | undefined {
  const known = polls.get(operation) ?? ((reply: Row) => (isOver(reply) ? undefined : pollMs));
  polls.set(operation, known);
  return known;
}

const tones = { running: 'run', done: 'good', failed: 'bad', stopped: 'warn' } as const;

const InTab = ({ work: { id, title, done, total, state, text } }: { work: TabWork }) => (
  <Line
    title={title}
    name={title}
    done={done}
    total={total}
    running={state === 'running'}
    tone={tones[state]}
    text={text === '' ? choiceText(state) : text}
    onStop={() => stopWork(id)}
    onDrop={() => dropWork(id)}
  />
);

interface LineProps {
  title: ComponentChildren;
  name: string;
  done: number;
  total: number;
  running: boolean;
  tone: 'good' | 'warn' | 'bad' | 'run';
  text: string;
  onStop?: () => void;
  onDrop: () => void;
}

const Line = ({ title, name, done, total, running, tone, text, onStop, onDrop }: LineProps) => (
  <>
    <span class="cut">{title}</span>
    <span class={`st ${tone}`}>
      {text}
      {total > 0 ? ` · ${number.format(done)} of ${number.format(total)}` : ''}
    </span>
    {running && onStop ? (
      <Button kind="small" onClick={onStop} label={`Stop: ${name}`}>
        Stop
      </Button>
    ) : (
      <Button kind="small" onClick={onDrop} label={`Hide: ${name}`}>
        Hide
      </Button>
    )}
    {running ? <Progress done={done} total={total} label={name} /> : null}
  </>
);
