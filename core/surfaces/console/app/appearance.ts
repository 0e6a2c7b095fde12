import { signal } from '@preact/signals';

/* Light, dark, or as the system has it. The browser remembers it for all tabs. */

export const appearances = ['system', 'light', 'dark'] as const;
export type Appearance = (typeof appearances)[number];

const keptName = 'svc.appearance';
const kept = (): Appearance => appearances.find((each) => each === localStorage.getItem(keptName)) ?? 'system';

export const appearance = signal<Appearance>('system');

function show(wanted: Appearance): void {
  appearance.value = wanted;
  // The tokens of base.css are made with light-dark().
  document.documentElement.dataset['appearance'] = wanted;
}

export function setAppearance(wanted: Appearance): void {
  localStorage.setItem(keptName, wanted);
  show(wanted);
}

/** Shows what was chosen before, and follows the other tabs. */
export function startAppearance(): void {
  show(kept());
  addEventListener('storage', ({ key }) => {
    if (key === keptName) show(kept());
  });
}
