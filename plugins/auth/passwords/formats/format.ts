import { trimEnd } from '#core/runtime/trim-end.js';

/** The content of a stored hash's text: how to check a password against it, or why svc does not accept it. */
export type ParsedHash =
  | {
      readonly ok: true;
      /** Milliseconds of one core's time for one check, estimated from the parameters on a core of 2026. */
      readonly cost: number;
      /** The text to store, if it is not the parsed one. */
      readonly stored?: string;
      /** Checks a password. It computes for up to a second, so call it in a thread. */
      readonly verify: (password: string) => boolean;
      /**
       * Whether the hash depends on the whole password. Absent if this is true for every password: no text contains
       * U+0000, which HMAC ignores at the end.
       */
      readonly covers?: (password: string) => boolean;
    }
  | { readonly ok: false; readonly problem: string };

/** One family of hashes. */
export interface HashFormat {
  /** Recognises the family by the beginning of the text. */
  readonly begins: RegExp;
  /** Reads the text strictly. It does not compute a hash. */
  parse(text: string): ParsedHash;
}

export const refused = (problem: string): ParsedHash => ({ ok: false, problem });

/** Base64 in the usual alphabet or passlib's (`.` for `+`), padded or not. @returns undefined for other text */
export function bytesOf(base64: string): Buffer | undefined {
  const text = base64.replaceAll('.', '+').replace(/={1,2}$/, '');
  const bytes = Buffer.from(text, 'base64');
  return trimEnd(bytes.toString('base64'), '=') === text ? bytes : undefined;
}

/**
 * The parameters of a PHC string, in any order: `m=65536,t=3,p=4`.
 * @returns undefined if one of `required` is missing, if there is a parameter in neither `required` nor `optional`, or
 *   if a parameter appears twice
 */
export function parametersOf(
  text: string,
  required: readonly string[],
  optional: readonly string[] = [],
): ReadonlyMap<string, string> | undefined {
  const pairs = text.split(',').map((each): [string, string] => {
    const [name = '', ...value] = each.split('=');
    return [name, value.join('=')];
  });
  const values = new Map(pairs);
  const isKnown = pairs.every(([name]) => required.includes(name) || optional.includes(name));
  const isWhole = values.size === pairs.length && required.every((name) => values.has(name));
  return isKnown && isWhole ? values : undefined;
}

/** Milliseconds of one core's time, measured on a core of 2026. */
export const costs = {
  argon2: (memoryKib: number, passes: number) => (memoryKib * passes) / 3_000,
  bcrypt: (cost: number) => 2 ** cost * 0.071,
  scrypt: (n: number, r: number, p: number) => (n * r * p) / 2_800,
  /** @param wide whether the digest is SHA-384 or SHA-512 */
  pbkdf2: (rounds: number, wide: boolean) => rounds * (wide ? 0.000_49 : 0.000_23),
} as const;

/**
 * Limits on the cost that an import may add to a sign-in: about a second of one core, and 128 MiB. Measured on 2 cores
 * of 2026.
 */
export const limits = {
  /** argon2: KiB of memory. 128 MiB with 8 passes takes 0.7 s. */
  argon2MemoryKib: 131_072,
  /** argon2: memory times passes, in KiB. */
  argon2Work: 1_048_576,
  /** argon2: lanes. */
  argon2Lanes: 16,
  /** bcrypt: 14 takes 0.8 s, and each additional step takes twice as long. */
  bcryptCost: 14,
  /** scrypt: 128 * N * r bytes. N = 2^17 with r = 8 takes 0.3 s. */
  scryptBytes: 134_217_728,
  /** scrypt: N * r * p. */
  scryptWork: 4_194_304,
  /** PBKDF2: iterations times output blocks. With SHA-512 it takes 0.8 s. */
  pbkdf2Rounds: 2_000_000,
  saltBytes: 128,
  hashBytes: 128,
  /** PBKDF2: of a longer hash, only the first block is kept and compared. Payload CMS makes 512 bytes. */
  longHashBytes: 512,
} as const;
