declare const isHolder: unique symbol;

/**
 * Who a part of something finite is given to, as the path of those who share it: an account, then one of its
 * environments, then a key. Only core/kernel makes them (test/contract/holders.test.ts), so nothing can be shared by
 * environment alone: an account may have a hundred environments, and would have a hundred shares.
 */
export type Holder = readonly [account: string, environment: string, ...rest: string[]] & { readonly [isHolder]: true };

/** @param path outermost first */
export function holder(...path: readonly [account: string, environment: string, ...rest: string[]]): Holder;
export function holder(...path: readonly string[]): unknown {
  return path;
}
