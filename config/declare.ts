/**
 * Which nodes have the same value:
 * - `node`: each node has its own.
 * - `deployment`: all nodes must have the same one, because another one would harm the work of the others. A start with
 *   another one is refused until the change is accepted (core/kernel/registry/identity.ts).
 * - `any`: all nodes should have the same one, but may work with different ones.
 */
export type Share = keyof typeof shareTexts;

/** How documents name each kind. */
export const shareTexts = { node: 'per node', deployment: 'shared', any: 'may differ' } as const;

/** One SVC_* variable: its meaning and how its text is parsed. The README's table is generated from these. */
export interface Setting<T = unknown> {
  readonly variable: string;
  /** One sentence for the table and for error messages. */
  readonly description: string;
  readonly share: Share;
  /**
   * What starts compare instead of the value, if `share` is `deployment`: for a secret, only whether it is set, because
   * the text is stored. @returns null for a value that is the same as if the variable is not set
   */
  readonly identity?: (value: unknown) => string | null;
  readonly defaultValue: T;
  /** How the default is shown in the table. */
  readonly defaultText: string;
  /** Parses the variable's text. @throws Error whose message completes “SVC_X …” */
  readonly read: (text: string) => T;
  /**
   * Why an empty text is refused, completing “SVC_X …”. Otherwise a setting with an empty text is as if it is not set.
   */
  readonly emptyProblem?: string;
  /**
   * A start stores the value, a text or a list, in the database, and commands beside the server use it. Never a secret.
   */
  readonly recorded?: boolean;
  /**
   * Checks the value against the others of its group. @returns the problem, as a sentence that names all variables;
   * undefined if there is none
   */
  readonly conflict?: (group: Readonly<Record<string, unknown>>) => string | undefined;
}

export type SettingDeclarations = Readonly<Record<string, Setting>>;
export type SettingValues<D extends SettingDeclarations> = {
  readonly [K in keyof D]: D[K] extends Setting<infer T> ? T : never;
};

type Declared<T, Default> = {
  variable: string;
  share: Share;
  identity?: (value: unknown) => string | null;
  description: string;
  defaultValue: Default;
  defaultText?: string;
  emptyProblem?: string;
  recorded?: boolean;
  read?: (text: string) => T;
  conflict?: (group: Readonly<Record<string, unknown>>) => string | undefined;
};

function setting<T, Default>(declared: Declared<T, Default>, read: (text: string) => T): Setting<T | Default> {
  const { defaultValue } = declared;
  const shown =
    defaultValue === undefined
      ? 'not set'
      : Array.isArray(defaultValue)
        ? defaultValue.join(',')
        : String(defaultValue);
  return { ...declared, defaultText: declared.defaultText ?? shown, read };
}

/** The identity of a secret: it may be replaced, but not be forgotten. */
export const whetherSet = (value: unknown): string | null =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0) ? null : 'set';

export const textSetting = <Default extends string | undefined>(
  declared: Declared<string, Default>,
): Setting<string | Default> => setting(declared, declared.read ?? ((text) => text));

/** `check` throws like `read`. */
export const integerSetting = <Default extends number | undefined>(
  declared: Declared<number, Default> & { minimum: number; maximum: number; check?: (value: number) => void },
): Setting<number | Default> =>
  setting(declared, (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < declared.minimum || value > declared.maximum) {
      throw new Error(`must be a whole number from ${declared.minimum} to ${declared.maximum}, not "${text}"`);
    }
    declared.check?.(value);
    return value;
  });

export const choiceSetting = <const C extends readonly string[]>(
  declared: Declared<C[number], C[number]> & { choices: C },
): Setting<C[number]> =>
  setting(declared, (text) => {
    const value = declared.choices.find((choice) => choice === text);
    if (value === undefined) throw new Error(`must be one of ${declared.choices.join(', ')}, not "${text}"`);
    return value;
  });

/** Comma-separated values. `each` checks one of them and throws like `read`. */
export const listSetting = (
  declared: Declared<readonly string[], readonly string[]> & { each?: (item: string) => void },
): Setting<readonly string[]> =>
  setting(declared, (text) => {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (items.length === 0 && declared.emptyProblem !== undefined) throw new Error(declared.emptyProblem);
    items.forEach((item) => declared.each?.(item));
    return items;
  });

/** `check` throws like `read`. */
export const urlSetting = <Default extends string | undefined>(
  declared: Declared<string, Default> & {
    protocols: readonly string[];
    check?: (url: string) => void;
    /** `check` parses the value: it may have several hosts with ports, which URL() refuses. */
    severalHosts?: true;
  },
): Setting<string | Default> =>
  setting(declared, (text) => {
    const scheme = /^([a-z0-9+]+):\/\/[^/]/i.exec(text)?.[1]?.toLowerCase();
    const isUrl = declared.severalHosts === true || URL.canParse(text);
    if (!isUrl || scheme === undefined || !declared.protocols.includes(scheme)) {
      // The value may contain a password, so the message does not repeat it.
      throw new Error(`must be a URL that starts with ${declared.protocols.map((each) => `${each}://`).join(' or ')}`);
    }
    declared.check?.(text);
    return text;
  });
