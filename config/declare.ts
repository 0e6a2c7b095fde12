/** One SVC_* variable: what it means and how its text is read. The README's table is made of these. */
export interface Setting<T = unknown> {
  readonly variable: string;
  /** One sentence for the table. */
  readonly words: string;
  /** How the default reads in the table. */
  readonly fallbackWords: string;
  readonly fallback: T;
  /** The value; throws an Error whose message completes “SVC_X …”. */
  readonly read: (text: string) => T;
}

export type SettingDeclarations = Readonly<Record<string, Setting>>;
export type SettingValues<D extends SettingDeclarations> = {
  readonly [K in keyof D]: D[K] extends Setting<infer T> ? T : never;
};

type Declared<T, F> = {
  variable: string;
  words: string;
  fallback: F;
  fallbackWords?: string;
  read?: (text: string) => T;
};

function setting<T, F>(declared: Declared<T, F>, read: (text: string) => T): Setting<T | F> {
  const { fallback } = declared;
  const shown = fallback === undefined ? 'not set' : Array.isArray(fallback) ? fallback.join(',') : String(fallback);
  return { ...declared, fallbackWords: declared.fallbackWords ?? shown, read };
}

export const textSetting = <F extends string | undefined>(declared: Declared<string, F>): Setting<string | F> =>
  setting(declared, declared.read ?? ((text) => text));

export const integerSetting = <F extends number | undefined>(
  declared: Declared<number, F> & { minimum: number; maximum: number },
): Setting<number | F> =>
  setting(declared, (text) => {
    const found = Number(text);
    if (!/^\d+$/.test(text) || found < declared.minimum || found > declared.maximum) {
      throw new Error(`must be a whole number from ${declared.minimum} to ${declared.maximum}, not "${text}"`);
    }
    return found;
  });

export const choiceSetting = <const C extends readonly string[]>(
  declared: Declared<C[number], C[number]> & { choices: C },
): Setting<C[number]> =>
  setting(declared, (text) => {
    const found = declared.choices.find((choice) => choice === text);
    if (found === undefined) throw new Error(`must be one of ${declared.choices.join(', ')}, not "${text}"`);
    return found;
  });

/** Values separated by commas. */
export const listSetting = (
  declared: Declared<readonly string[], readonly string[]> & { each?: (item: string) => void },
): Setting<readonly string[]> =>
  setting(declared, (text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    items.forEach((item) => declared.each?.(item));
    return items;
  });

export const urlSetting = <F extends string | undefined>(
  declared: Declared<string, F> & { protocols: readonly string[] },
): Setting<string | F> =>
  setting(declared, (text) => {
    const scheme = /^([a-z0-9+]+):\/\/[^/]/i.exec(text)?.[1]?.toLowerCase();
    if (!URL.canParse(text) || scheme === undefined || !declared.protocols.includes(scheme)) {
      // The value may hold a password: name its form, do not repeat it.
      throw new Error(`must be a URL that starts with ${declared.protocols.map((each) => `${each}://`).join(' or ')}`);
    }
    return text;
  });
