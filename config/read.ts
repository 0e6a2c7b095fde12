import { nearest } from './nearest.js';
import type { SettingDeclarations, SettingValues } from './declare.js';

/** Bad settings stop the start; each problem names its variable and the mend. */
export class SettingsError extends Error {
  override name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Variables that other parts of svc read: the command line's, the tests' and the fault harness's. */
const elsewhere = /^SVC_(API_KEY|API_URL|PUBLISHABLE_KEY|FAULT|TEST_[A-Z_]+)$/;

/** All settings of the deployment: those of `core`, and each product's by its own declarations. */
export interface Settings<Core extends SettingDeclarations> {
  core: SettingValues<Core>;
  of<D extends SettingDeclarations>(declarations: D): SettingValues<D>;
}

/**
 * Reads the settings once.
 * @param groups every product's declarations, enabled or not: a disabled product's variable is no mistake
 * @throws SettingsError with every problem found, not just the first
 */
export function readSettings<Core extends SettingDeclarations>(
  core: Core,
  groups: readonly SettingDeclarations[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings<Core> {
  const problems: string[] = [];
  const known = new Set([core, ...groups].flatMap((group) => Object.values(group).map((each) => each.variable)));
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith('SVC_') || known.has(variable) || elsewhere.test(variable)) continue;
    const guess = nearest(variable, [...known]);
    problems.push(
      `${variable} is no setting of svc.${guess ? ` Did you mean ${guess}?` : ''} Correct its name, or remove it.`,
    );
  }
  const values = new Map<SettingDeclarations, unknown>();
  for (const group of [core, ...groups]) {
    const entries = Object.entries(group).map(([name, declared]) => {
      const text = environment[declared.variable];
      if (text === undefined || text === '') return [name, declared.fallback];
      try {
        return [name, declared.read(text)];
      } catch (error) {
        problems.push(
          `${declared.variable} ${error instanceof Error ? error.message : String(error)}. ${declared.words}`,
        );
        return [name, declared.fallback];
      }
    });
    values.set(group, Object.fromEntries(entries));
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
