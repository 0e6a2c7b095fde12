import type { TestAccount, TestPlatform } from '#test/support/platform.js';
import type { Script } from '../support.js';
import type { CallOptions, ClientSettings, Outcome, Request } from './driver.js';

/** What the cases of one language use. */
export interface Suite {
  readonly language: string;
  /** A running server, and a server that answers by script. */
  readonly platform: TestPlatform;
  readonly script: Script;
  /** An account on the running server. */
  readonly account: () => TestAccount;
  readonly carryOut: (request: Request) => Promise<Outcome>;
}

export const mail = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

/** Settings of a client of the server that answers by script. */
export const scripted = ({ script }: Suite, settings: Partial<ClientSettings> = {}): ClientSettings => ({
  baseUrl: script.address,
  apiKey: 'svc_test_key',
  ...settings,
});

/** Settings of a client of the running server, with the account's key. */
export const live = ({ platform, account }: Suite, settings: Partial<ClientSettings> = {}): ClientSettings => ({
  baseUrl: platform.running.address,
  apiKey: account().keys.live.secret,
  ...settings,
});

/** Calls an operation by its typed method. */
export const call = (
  { carryOut }: Suite,
  operation: string,
  input: unknown,
  client: ClientSettings,
  options: CallOptions = {},
): Promise<Outcome> => carryOut({ do: 'call', client, operation, input, options });
