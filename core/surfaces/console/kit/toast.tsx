import { signal } from '@preact/signals';
import { addressOf } from './address.js';
import { has } from './state.js';

interface Toast {
  readonly text: string;
  /** The audit record of the write; '' if there is none. */
  readonly activityId: string;
}

const shown = signal<Toast | undefined>(undefined);
const timer: { running: ReturnType<typeof setTimeout> | undefined } = { running: undefined };
const shownMs = 8_000;

/** Says that a write succeeded, with a link to its audit record. */
export function toast(text: string, activityId = ''): void {
  shown.value = { text, activityId };
  clearTimeout(timer.running);
  timer.running = setTimeout(() => (shown.value = undefined), shownMs);
}

/** The place of toasts; it exists from the start, so that screen readers announce what appears in it. */
export const Toasts = () => (
  <div role="status" aria-live="polite">
    {shown.value === undefined ? null : (
      <div class="toast">
        <span class="st good" />
        <span>{shown.value.text}</span>
        {shown.value.activityId !== '' && has('account.activity.get') ? (
          <a href={addressOf(['account', 'activity', shown.value.activityId])}>View audit record</a>
        ) : null}
      </div>
    )}
  </div>
);
