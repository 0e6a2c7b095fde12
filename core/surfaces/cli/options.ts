/** Flags with the same meaning on every command. */
export interface OwnOptions {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  readonly json: boolean | undefined;
  readonly yes: boolean;
  readonly verbose: boolean;
  readonly all: boolean;
  readonly wait: boolean;
  readonly watch: boolean;
  /** `--attach`: paths of files. */
  readonly attach: readonly string[];
  /** `--image`: paths of files. */
  readonly image: readonly string[];
  readonly idempotencyKey: string | undefined;
  /** `--input`, a file or `-`. */
  readonly input: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Commander's parsed options, with types. */
export function ownOptions(options: Readonly<Record<string, unknown>>): OwnOptions {
  const { json, yes, verbose, all, wait, watch, attach, image } = options;
  return {
    profile: textOf(options['profile']),
    baseUrl: textOf(options['baseUrl']),
    json: typeof json === 'boolean' ? json : undefined,
    yes: yes === true,
    verbose: verbose === true,
    all: all === true,
    wait: wait === true,
    watch: watch === true,
    attach: Array.isArray(attach) ? attach.map(String) : [],
    image: Array.isArray(image) ? image.map(String) : [],
    idempotencyKey: textOf(options['idempotencyKey']),
    input: textOf(options['input']),
  };
}
