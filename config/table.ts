import type { SettingDeclarations } from './declare.js';

/** The README's table of settings, made of their declarations. */
export function settingsTable(groups: readonly { title: string; settings: SettingDeclarations }[]): string {
  const rows = groups.flatMap(({ settings }) =>
    Object.values(settings).map(
      ({ variable, fallbackWords, words }) => `| \`${variable}\` | ${fallbackWords} | ${words} |`,
    ),
  );
  return ['| variable | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}
