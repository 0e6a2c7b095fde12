import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf, useAddress } from '../kit/address.js';
import { accountUrl, signInUrl } from '../kit/client.js';
import { MadeCalls } from '../kit/drawer.js';
import { Icon } from '../kit/icon.js';
import { Notice, screenTitle } from '../kit/page.js';
import { SignInElsewhere } from '../kit/refusal.js';
import { acting, catalogue, type EnvironmentChoice } from '../kit/state.js';
import { labelOf } from '../kit/words.js';
import { AppearanceSwitch } from './appearance-switch.js';
import { leave } from './leave.js';
import { entriesOf, iconOf, openProducts, shownProducts } from './navigation.js';
import { Palette } from './palette.js';
import { Tray } from './tray.js';

/** The frame of every screen: navigation, the live/test switch, breadcrumbs, search. */
export function Shell({
  environments,
  children,
}: {
  environments: readonly EnvironmentChoice[];
  children: ComponentChildren;
}) {
  const [open, setOpen] = useState<'palette' | 'calls' | 'menu'>();
  const { path } = useAddress();
  const close = (): void => setOpen(undefined);
  useEffect(close, [path.join('/')]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // The code editor is in a shadow tree, which hides its element from `target`.
      const [target] = event.composedPath();
      const isTyping =
        target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable=true]');
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setOpen('palette');
      }
      if (event.key === '/' && !isTyping) {
        const filter = document.querySelector<HTMLElement>('.filters summary');
        if (!filter) return;
        event.preventDefault();
        filter.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const isTest = acting.value?.kind === 'test';
  return (
    <div class={`frame ${open === 'menu' ? 'menu-open' : ''}`}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Side environments={environments} />
      <header class="top">
        <button
          type="button"
          class="b bare menu"
          aria-label="Menu"
          aria-expanded={open === 'menu'}
          onClick={() => setOpen(open === 'menu' ? undefined : 'menu')}
        >
          <Icon name="menu" />
        </button>
        <Crumbs path={path} />
        <button type="button" class="find" onClick={() => setOpen('palette')}>
          <Icon name="search" />
          <span>Search people, names, actions</span>
          <kbd>Ctrl K</kbd>
        </button>
        <button type="button" class="b bare" aria-label="Calls" onClick={() => setOpen('calls')}>
          <Icon name="calls" />
          <span class="wide">Calls</span>
        </button>
      </header>
      {isTest ? (
        <section class="strip" aria-label="Environment">
          Test environment: only members of the account receive messages, and nothing is billed.
        </section>
      ) : null}
      <main id="main">
        {signInUrl.value === undefined ? null : (
          <Notice tone="bad">
            <p>Your session has ended.</p>
            <SignInElsewhere href={signInUrl.value} title="Sign in" />
          </Notice>
        )}
        {children}
      </main>
      <Tray />
      {open === 'palette' ? <Palette onClose={close} /> : null}
      {open === 'calls' ? <MadeCalls onClose={close} /> : null}
    </div>
  );
}

/** The way to the screen: product, group, thing. */
function Crumbs({ path }: { path: readonly string[] }) {
  const [product = '', group = '', ...more] = path;
  if (path.length === 0)
    return (
      <nav class="crumbs" aria-label="Breadcrumbs">
        <span aria-current="page">Home</span>
      </nav>
    );
  const known = shownProducts().find(({ name }) => name === product);
  const entry = entriesOf(product).find(({ path: each }) => each === group);
  const last = more.at(-1) ?? group;
  return (
    <nav class="crumbs" aria-label="Breadcrumbs">
      {known ? (
        <>
          <a class="up" href={addressOf([product])}>
            {known.title}
          </a>
          {group === '' ? null : <span class="up">/</span>}
        </>
      ) : null}
      {entry && more.length > 0 ? (
        <>
          <a class="up" href={entry.href}>
            {entry.title}
          </a>
          <span class="up">/</span>
        </>
      ) : null}
      {last === '' ? null : (
        <span aria-current="page">
          {more.length === 0
            ? (entry?.title ?? (product === 'do' ? group : labelOf(last)))
            : screenTitle.value || last.slice(0, 24)}
        </span>
      )}
    </nav>
  );
}

function Side({ environments }: { environments: readonly EnvironmentChoice[] }) {
  const { path } = useAddress();
  return (
    <nav class="side" aria-label="Main">
      <Projects environments={environments} />
      <EnvironmentSwitch environments={environments} />
      <div class="nav">
        <a href={addressOf([])} aria-current={path.length === 0 ? 'page' : undefined}>
          <Icon name="home" />
          Home
        </a>
      </div>
      <div class="nav">
        {openProducts().map(({ name, title }) => (
          <Product key={name} name={name} title={title} current={path} />
        ))}
      </div>
      <Me />
    </nav>
  );
}

function Product({ name, title, current }: { name: string; title: string; current: readonly string[] }) {
  const isCurrent = current[0] === name;
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isCurrent && box.current) box.current.open = true;
  }, [isCurrent]);
  const place = current.slice(1).join('/');
  return (
    <details ref={box}>
      <summary>
        <Icon name={iconOf(name)} />
        {title}
      </summary>
      {entriesOf(name).map((entry) => {
        const isHere = isCurrent && (place === entry.path || place.startsWith(`${entry.path}/`));
        return (
          <a href={entry.href} aria-current={isHere ? 'page' : undefined}>
            {entry.title}
          </a>
        );
      })}
      <a href={addressOf([name])} aria-current={isCurrent && place === '' ? 'page' : undefined}>
        All operations
      </a>
    </details>
  );
}

/** The projects that the person may act in; the choice keeps live or test. */
function Projects({ environments }: { environments: readonly EnvironmentChoice[] }) {
  const here = acting.value;
  const { go } = useAddress();
  const projects = environments.filter(({ kind }) => kind === here?.kind);
  const archived = projects.filter((each) => each.archived === true);
  const isArchived = archived.some(({ environmentId }) => environmentId === here?.environmentId);
  const initial = (here?.project ?? '').charAt(0).toUpperCase();
  const title = (
    <>
      <span class="mark" aria-hidden="true">
        {initial}
      </span>
      <span class="cut">{here?.project}</span>
      {isArchived ? <span class="tag">archived</span> : null}
    </>
  );
  if (projects.length < 2) return <div class="project">{title}</div>;
  return (
    <label class="project">
      {title}
      <Icon name="down" />
      <span class="unseen">Project</span>
      <select value={here?.environmentId} onChange={({ currentTarget }) => go(`/console/${currentTarget.value}`)}>
        <ProjectOptions projects={projects.filter((each) => each.archived !== true)} />
        {archived.length === 0 ? null : (
          <optgroup label="Archived">
            <ProjectOptions projects={archived} />
          </optgroup>
        )}
      </select>
    </label>
  );
}

const ProjectOptions = ({ projects }: { projects: readonly EnvironmentChoice[] }) => (
  <>
    {projects.map(({ environmentId, project, account }) => (
      <option value={environmentId}>
        {account} / {project}
      </option>
    ))}
  </>
);

/** Live or test. The switch stays on the same screen, whose filters mean nothing in the other environment. */
function EnvironmentSwitch({ environments }: { environments: readonly EnvironmentChoice[] }) {
  const here = acting.value;
  const { path } = useAddress();
  const siblings = environments.filter(({ account, project }) => account === here?.account && project === here.project);
  return (
    <div class="switch" role="group" aria-label="Environment">
      {(['live', 'test'] as const).map((kind) => {
        const other = siblings.find((each) => each.kind === kind);
        const isHere = here?.kind === kind;
        const title = kind === 'live' ? 'Live' : 'Test';
        if (!other) return <span aria-disabled="true">{title}</span>;
        const stays = path.slice(0, 2).map(encodeURIComponent).join('/');
        return (
          <a
            class={kind === 'test' ? 'is-test' : ''}
            aria-current={isHere ? 'true' : undefined}
            href={`/console/${other.environmentId}/${stays}`}
          >
            {title}
          </a>
        );
      })}
    </div>
  );
}

function Me() {
  const { member, role = '' } = acting.value ?? {};
  const name = member?.email ?? 'Secret key';
  return (
    <details class="me">
      <summary>
        <span class="avatar" aria-hidden="true">
          {name.slice(0, 2).toUpperCase()}
        </span>
        <span class="cut">
          {name}
          <br />
          <span class="faint">
            {member ? (member.isNarrowed ? `Part of ${role}` : labelOf(role)) : acting.value?.kind}
          </span>
        </span>
      </summary>
      <div class="nav">
        {accountUrl.value === undefined ? null : (
          <a href={accountUrl.value} target="_blank" rel="noopener">
            <Icon name="user" />
            How you sign in
          </a>
        )}
        <AppearanceSwitch />
        <a href="/docs">
          <Icon name="external" />
          Documentation
        </a>
        <button type="button" onClick={() => void leave()}>
          <Icon name="sign-out" />
          {member ? 'Sign out' : 'Forget the key'}
        </button>
        <p class="faint">svc {catalogue.value?.version}</p>
      </div>
    </details>
  );
}
