import { nearest } from './nearest.js';
import type { SettingDeclarations, SettingValues } from './declare.js';

/** Invalid settings stop the start. Each problem names its variable and how to correct it. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Variables that are not settings of the server: those of the command line, the tests and the fault harness. */
const otherVariables = /^SVC_(API_KEY|API_URL|PUBLISHABLE_KEY|FAULT|TEST_[A-Z_]+)$/;

/** All settings of the deployment: `core`, and with `of` those of a product by its declarations. */
export interface Settings<Core extends SettingDeclarations> {
  core: SettingValues<Core>;
  of<D extends SettingDeclarations>(declarations: D): SettingValues<D>;
}

/**
 * Reads the settings once.
 * @param groups declarations of all products, also of disabled ones: their variables are not mistakes
 * @throws SettingsError with all problems
 */
export function readSettings<Core extends SettingDeclarations>(
  core: Core,
  groups: readonly SettingDeclarations[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings<Core> {
  const problems: string[] = [];
  const known = new Set([core, ...groups].flatMap((group) => Object.values(group).map((each) => each.variable)));
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith('SVC_') || known.has(variable) || otherVariables.test(variable)) continue;
    const guess = nearest(variable, [...known]);
    problems.push(
      `${variable} is not a setting of svc.${guess ? ` Did you mean ${guess}?` : ''} Correct the name or remove the variable.`,
    );
  }
  const values = new Map<SettingDeclarations, unknown>();
  for (const group of [core, ...groups]) {
    const entries = Object.entries(group).map(([name, declared]): [string, unknown] => {
      const text = environment[declared.variable];
      if (text === undefined || (text === '' && declared.emptyProblem === undefined))
        return [name, declared.defaultValue];
      try {
        return [name, declared.read(text)];
      } catch (error) {
        problems.push(
          `${declared.variable} ${error instanceof Error ? error.message : String(error)}. ${declared.description}`,
        );
        return [name, declared.defaultValue];
      }
    });
    const read: Record<string, unknown> = Object.fromEntries(entries);
    problems.push(...Object.values(group).flatMap(({ conflict }) => conflict?.(read) ?? []));
    values.set(group, read);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return { core: typed(values, core), of: (declarations) => typed(values, declarations) };
}

function typed<D extends SettingDeclarations>(
  values: ReadonlyMap<SettingDeclarations, unknown>,
  declarations: D,
): SettingValues<D>;
function typed(values: ReadonlyMap<SettingDeclarations, unknown>, declarations: SettingDeclarations): unknown {
  const found = values.get(declarations);
  if (found === undefined) throw new Error('These settings belong to no plugin that the registry knows.');
  return found;
}
