import type { ComponentType } from 'preact';

/** A screen of a product, in place of the one that the registry gives. */
export interface Screen {
  /**
   * Its address below the product: `message` replaces the list of email.message, `message/:id` its page. A part that
   * begins with a colon is passed to the screen.
   */
  readonly path: string;
  /** Its entry in the navigation; without one it is reached from others. */
  readonly title?: string;
  /** The operation without which the screen is not shown. */
  readonly needs: string;
  /** Loads the screen when it is opened. */
  readonly load: () => Promise<{ readonly default: ComponentType<ScreenProps> }>;
}

export interface ScreenProps {
  /** The parts of the address that the path names. */
  readonly params: Readonly<Record<string, string>>;
}

/** The screens of a product, in the order of the navigation: the default export of `plugins/<product>/console/index.ts` such a list. */
export const screens = (all: readonly Screen[]): readonly Screen[] => all;
