import type { CliOperation } from '../cli/command-catalogue.js';
import type { GoInputs } from '../sdk-go/inputs.js';

/* The contract between the console's server part and the app in the browser. */

/** An operation as the console knows it. */
export interface ConsoleOperation extends CliOperation {
  /** The permission that the caller needs; absent if it needs none. */
  readonly permission?: string;
  /** Who is refused in test environments: every caller, or only secret keys. */
  readonly refusesTest?: 'everyone' | 'keys';
  readonly ownerOnly?: true;
  readonly billable?: true;
  /** The answer may come from a replica, if the call allows it. */
  readonly mayBeOld?: true;
}

/** A product, in the order of the navigation. */
export interface ConsoleProduct {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

/** The answer of GET /console/catalogue.json. */
export interface ConsoleCatalogue {
  readonly version: string;
  readonly baseUrl: string;
  readonly production: boolean;
  /** How people sign in: by the dashboard's hosted pages, or with a secret key if auth is disabled. */
  readonly signIn: 'session' | 'key';
  readonly products: readonly ConsoleProduct[];
  /** The purpose of each product and each group of operations, by name. */
  readonly groups: Readonly<Record<string, string>>;
  readonly operations: readonly ConsoleOperation[];
  /** For calls that are shown in Go. */
  readonly go: GoInputs;
}

/** The answer of POST /console/session: an access token and the environments it may act in, or where to sign in. */
export type ConsoleSession =
  | {
      readonly accessToken: string;
      /** Who is signed in. */
      readonly user: { readonly id: string; readonly email: string | null };
      readonly accountUrl: string;
      /** For an operation that needs a recent sign-in or a second factor. */
      readonly signInAgainUrl: string;
      /** As `details.environments` of environment_required lists them. */
      readonly environments: unknown;
    }
  | {
      readonly accessToken: null;
      readonly signInUrl: string;
      /** The owner's address, for a browser on a development machine: one click signs the owner in. */
      readonly developerEmail?: string;
    };
