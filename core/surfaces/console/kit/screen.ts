import type { ComponentType } from 'preact';
import type { OperationName } from '../../sdk/operations.gen.js';
import type { IconName } from './icon.js';

/*
 * What a product adds to the console: `plugins/<product>/console/index.ts` has these exports, all of them optional. The
 * registry gives what the product does not add.
 */

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

/** A step of “Getting started” on the home screen. It is ticked off by facts, never by a click. */
export interface Step {
  readonly title: string;
  /** Why somebody would do it. */
  readonly text: string;
  /** The operation without which the step is not shown. */
  readonly needs: string;
  /** @returns the fact that shows that it is done; undefined if it is not */
  readonly check: () => Promise<string | undefined>;
  /** A verb with an object. */
  readonly action: string;
  /** The operation that the action leads to. Who may not call it sees the action disabled, with the reason. */
  readonly leadsTo: string;
  readonly href: () => string;
}

/** A figure on the home screen. */
export interface Figure {
  readonly title: string;
  readonly needs: string;
  readonly href: () => string;
  /** @returns undefined if there is nothing to show yet */
  readonly load: () => Promise<
    | {
        readonly value: string;
        readonly note: string;
        readonly tone?: 'good' | 'warn' | 'bad' | undefined;
        /** A line over time, oldest first. */
        readonly points?: readonly number[];
      }
    | undefined
  >;
}

/** Something that somebody should look at. */
export interface Attention {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly href: string;
}

/** A product's part of the home screen. */
export interface HomePart {
  readonly steps?: readonly Step[];
  readonly figures?: readonly Figure[];
  readonly attention?: () => Promise<readonly Attention[]>;
}

/** Something that the palette found: a screen to open, or something to do at once. */
export type Found = {
  /** The heading above it. */
  readonly group: string;
  readonly icon: IconName;
  readonly title: string;
  readonly beside?: string;
  readonly after?: string;
  /** The address or number of a person. A contact and a user with the same one are shown once. */
  readonly person?: string;
} & ({ readonly href: string; readonly run?: undefined } | { readonly run: () => unknown; readonly href?: undefined });

/** Where the palette searches on the server. */
export interface SearchSource {
  /** The operation that it calls; who may not call it is not asked. */
  readonly needs: OperationName;
  readonly find: (text: string) => Promise<readonly Found[]>;
}

/** Something that people do on a screen made by hand. The palette offers it in place of the operation's form. */
export interface Task {
  /** A verb with an object: “Create broadcast”. */
  readonly title: string;
  readonly needs: OperationName;
  /** The address below the product. */
  readonly path: string;
  /** The dialog that the screen opens (`useOpened`). */
  readonly opens?: string;
}

/** The exports of a product's index.ts. */
export interface ProductConsole {
  /** Its screens, in the order of the navigation. */
  readonly default?: readonly Screen[];
  /** Its name in the navigation, and its icon; a plain icon if not given. */
  readonly face?: { readonly title?: string; readonly icon: IconName; readonly rank: number };
  readonly home?: () => Promise<{ readonly default: HomePart }>;
  /**
   * Signs somebody in on a development machine, whose mailbox svc itself keeps.
   * @returns why it is not possible; undefined if the browser is signed in now
   */
  readonly developerSignIn?: () => Promise<{
    readonly default: (signInUrl: string, email: string) => Promise<string | undefined>;
  }>;
  /** Finds people and things by a text, for the palette. */
  readonly search?: () => Promise<{ readonly default: readonly SearchSource[] }>;
  /** What people do on its screens, for the palette. */
  readonly tasks?: readonly Task[];
}

/** The screens of a product: the default export of its index.ts. */
export const screens = (all: readonly Screen[]): readonly Screen[] => all;
