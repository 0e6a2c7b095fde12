/*
 * What an operation declares for the surfaces in addition to its input and reply, as data: where to see the outcome of
 * a call, how far its work has progressed, how its items are named. The command line, the MCP server and /openapi.json
 * use it; see docs/plugins.md, “Operations”.
 */

/**
 * If an operation takes the id of something, the command line also accepts the name of the thing. The operation that
 * finds the thing by name declares this hint: a list, whose pages are searched, or, if there can be many things, a read
 * that takes the name.
 */
export interface NamedItems {
  /** The input field of the operations that take the id: `domainId`, `contactId`. */
  readonly id: string;
  /**
   * Of a list: the item's field that holds its name, unique in the environment by its nameKey: `domain`. Of a read: the
   * input fields that find it, such as `email` and `phone`; a name that is neither an address nor a number is used for
   * the last field.
   */
  readonly names: readonly [string, ...string[]];
  /** Of a read: the path of the id in its reply: `contact.id`. */
  readonly found?: string;
}

/**
 * Lists of the reply that describe the same things: the command line shows people one list with the fields of all of
 * them.
 */
export interface JoinedLists {
  /** The list that is shown; a path in the reply: `domain.records`. */
  readonly list: string;
  /** Paths of the lists whose fields are added to it. */
  readonly from: readonly string[];
  /** The fields that find an item of such a list, by the field of the shown list that has the same value. */
  readonly by: Readonly<Record<string, string>>;
}

/** Where to see the outcome of a call, or how to complete it. */
export interface FollowUp {
  /** The operation that shows it, or does the next step. It can be called again without harm. */
  readonly operation: string;
  /** That operation's input; each value is a path in the reply: `import.id`. */
  readonly input: Readonly<Record<string, string>>;
  /** A page that shows it to developers, if the server has it: `/dev/mailbox`. */
  readonly page?: string;
}

/** The progress of work. All fields except the lists are paths in the reply: `import.status`. */
export interface Progress {
  readonly status: string;
  /** Final statuses of work that succeeded. */
  readonly succeeded: readonly string[];
  /** Final statuses of work that failed. */
  readonly failed: readonly string[];
  /** The statuses among `failed` in which nothing happens until another operation is called. */
  readonly idle?: readonly Idle[];
  readonly done?: string;
  readonly total?: string;
  /** The kinds of parts that did not succeed. */
  readonly parts?: readonly Parts[];
}

/** A status in which work waits for a call, such as a draft. */
interface Idle {
  readonly status: string;
  /** A sentence for people who wait for the work. */
  readonly text: string;
  /** Whether the work has begun, and was stopped. */
  readonly hasBegun: boolean;
  /** The imperative that lets the work continue, without the command: `Send it`. */
  readonly step: string;
  readonly next: Pick<FollowUp, 'operation' | 'input'>;
}

/** Parts of work, such as the rows of an import: some may fail while the rest of the work completes. */
export interface Parts {
  /** The words after the number of such parts: `messages failed`. */
  readonly text: string;
  /** How many there are; a path in the reply, as `succeeded`. */
  readonly failed: string;
  /**
   * How many parts succeeded. Work of which some parts failed and none succeeded counts as failed; without this path it
   * does not.
   */
  readonly succeeded?: string;
  /** Where such parts are listed. */
  readonly listedBy: Pick<FollowUp, 'operation' | 'input'>;
  /** More input for that list: `{ status: 'failed' }`. */
  readonly filter?: Readonly<Record<string, string>>;
  /**
   * The read operation that states why one of them failed, if the list does not; its input is like that of a FollowUp,
   * from an item of the list.
   */
  readonly explainedBy?: Pick<FollowUp, 'operation' | 'input'>;
  /**
   * The path of the reason for one failure, in an item of the list or in the reply of `explainedBy`. If the path goes
   * through a list, its first item counts.
   */
  readonly reason?: string;
}
