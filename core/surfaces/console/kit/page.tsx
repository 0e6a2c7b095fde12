import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.js';

/* The parts that every screen is made of. */

/** The title of the screen, for the breadcrumbs; '' while it loads. */
export const screenTitle = signal('');

interface HeadProps {
  title: string;
  /** The operation or status beside the title. */
  beside?: ComponentChildren;
  sub?: ComponentChildren;
  actions?: ComponentChildren;
}

/** The head of a screen: its title gets the focus when the screen opens, so that screen readers start there. */
export function Head({ title, beside, sub, actions }: HeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · svc`;
    screenTitle.value = title;
    const active = document.activeElement;
    if (active === null || active === document.body || active.closest('.side')) heading.current?.focus();
    return () => {
      screenTitle.value = '';
    };
  }, [title]);
  return (
    <div class="head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {beside}
      {actions === undefined ? null : <div class="acts">{actions}</div>}
      {sub === undefined ? null : <div class="sub">{sub}</div>}
    </div>
  );
}

interface CardProps {
  title?: ComponentChildren;
  beside?: ComponentChildren;
  children?: ComponentChildren;
  /** Without padding, for tables. */
  flush?: boolean;
}

export const Card = ({ title, beside, children, flush = false }: CardProps) => (
  <section class="card">
    {title === undefined ? null : (
      <header>
        <h2>{title}</h2>
        {beside}
      </header>
    )}
    {flush ? children : <div class="in stack">{children}</div>}
  </section>
);

interface NoticeProps {
  tone?: 'good' | 'warn' | 'bad';
  children: ComponentChildren;
  action?: ComponentChildren;
}

const noticeIcons: Readonly<Record<string, IconName>> = { good: 'done', warn: 'warning', bad: 'alert' };

export const Notice = ({ tone, children, action }: NoticeProps) => (
  <div class={`notice ${tone ?? ''}`} role={tone === 'bad' ? 'alert' : undefined}>
    {tone === undefined ? null : <Icon name={noticeIcons[tone] ?? 'alert'} />}
    <div>{children}</div>
    {action === undefined ? null : <div class="right">{action}</div>}
  </div>
);

interface LiveButtonProps {
  isLive: boolean;
  onChange: (isLive: boolean) => void;
}

/** Turns the repeated reads of a screen on and off. */
export const LiveButton = ({ isLive, onChange }: LiveButtonProps) => (
  <button type="button" class="b bare small" aria-pressed={isLive} onClick={() => onChange(!isLive)}>
    <span class={`st ${isLive ? 'run' : ''}`}>Live</span>
  </button>
);

/** What an empty list shows: what belongs there, and the first action. */
export const Empty = ({
  title,
  children,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) => (
  <div class="empty">
    <p>
      <b>{title}</b>
    </p>
    {children === undefined ? null : <p class="soft">{children}</p>}
    {action}
  </div>
);

/** Grey lines while a part loads; they keep its place. */
export const Loading = ({ lines = 6 }: { lines?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      <span key={index} />
    ))}
  </div>
);

interface ButtonProps {
  children: ComponentChildren;
  kind?: 'main' | 'bare' | 'danger' | 'small' | undefined;
  icon?: IconName;
  /** A link that looks like a button. */
  href?: string | undefined;
  onClick?: (() => unknown) | undefined;
  /** Why the button is disabled. The reason is shown as a tooltip and read out by screen readers. */
  refused?: string | undefined;
  busy?: boolean;
  submit?: boolean;
  label?: string;
}

/** A button. One that the person may not press stays visible, and its title says why. */
export function Button({
  children,
  kind,
  icon,
  href,
  onClick,
  refused,
  busy = false,
  submit = false,
  label,
}: ButtonProps) {
  const content = (
    <>
      {icon === undefined ? null : <Icon name={icon} />}
      {children}
    </>
  );
  const shared = { class: `b ${kind ?? ''}`, ...(label === undefined ? {} : { 'aria-label': label }) };
  if (refused === undefined && href !== undefined)
    return (
      <a {...shared} href={href} onClick={() => onClick?.()}>
        {content}
      </a>
    );
  return (
    <button
      {...shared}
      type={submit ? 'submit' : 'button'}
      disabled={busy}
      aria-disabled={refused === undefined ? undefined : true}
      title={refused}
      // A form’s button is also clicked by Enter in a field.
      onClick={(event) => (refused === undefined ? onClick?.() : event.preventDefault())}
    >
      {content}
      {refused === undefined ? null : <span class="unseen">: {refused}</span>}
    </button>
  );
}

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 1_500);
    return () => clearTimeout(timer);
  }, [done]);
  return (
    <button
      type="button"
      class="b bare small"
      aria-label={done ? 'Copied' : label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
    >
      <Icon name={done ? 'check' : 'copy'} />
    </button>
  );
}
