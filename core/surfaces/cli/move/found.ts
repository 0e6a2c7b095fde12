/*
 * What the exports of other services contain, in svc's terms. A source reads its files into these; the writers write
 * them.
 */

/** Where a record begins: the file as the person named it, and the line, from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Something that is not moved. */
export interface Note {
  readonly place: Place;
  /** The address or id of the record, for people. */
  readonly who?: string;
  readonly column?: string;
  readonly reason: string;
  /** Whether it should be moved; otherwise it is left out on purpose. */
  readonly failed: boolean;
}

/** A consent that the export proves. */
export interface MovedConsent {
  readonly topic: string;
  readonly source: string;
  readonly givenAt?: string;
  readonly ip?: string;
  /** Why it counts as proven, for the report. */
  readonly reason: string;
}

/** An opt-out. */
export interface MovedOptOut {
  /** Undefined for all topics. */
  readonly topic?: string;
  readonly source: string;
  readonly reason: string;
}

export type PropertyValue = string | number | boolean;

/** The fields of audience.contact.upsert that exports have. */
export interface MovedContact {
  readonly email: string;
  readonly phone?: string;
  readonly externalId?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

export interface MovedPerson {
  readonly email: string;
  /** Undefined for an address that is only suppressed. */
  readonly contact: MovedContact | undefined;
  readonly consents: readonly MovedConsent[];
  readonly optOuts: readonly MovedOptOut[];
  readonly suppression: { readonly note: string; readonly reason: string } | undefined;
}

/** A row of auth.user.import. */
export interface UserRow {
  readonly externalId: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly phone?: string;
  readonly phoneVerified?: boolean;
  readonly name?: string;
  readonly passwordHash?: string;
  readonly totpSecret?: string;
  readonly createdAt?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface MovedUser {
  readonly row: UserRow;
  /** Further rows with the same external id: each adds an address or number to the user. */
  readonly further: readonly UserRow[];
  readonly privateMetadata: Readonly<Record<string, unknown>> | undefined;
  /** The reason of a ban, for a user who may not sign in there. */
  readonly banned: string | undefined;
}

export interface MovedTemplate {
  readonly name: string;
  /** The name that earlier versions gave it, if that is another one. */
  readonly earlierName?: string;
  /** Whether other templates of these files had the same earlier name. */
  readonly sharesEarlierName?: boolean;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  /** What could not be translated: such a template is not published. */
  readonly untranslated: readonly string[];
}

/** One record of an export. */
export interface Found {
  readonly place: Place;
  readonly notes: readonly Note[];
  readonly person?: MovedPerson;
  readonly user?: MovedUser;
  readonly template?: MovedTemplate;
}

/** What a person states about the export. */
export interface MoveSettings {
  /** Topics by the name of the list there. */
  readonly topics: ReadonlyMap<string, string>;
  /** The topic of every other list. */
  readonly topic: string | undefined;
  /** Fields here by the name of the column there, in lower case. */
  readonly columns: ReadonlyMap<string, string>;
  /** The state of subscriptions that the export was filtered by. */
  readonly subscription: string | undefined;
  /** Whether users get their passwords. */
  readonly passwords: boolean;
  readonly firebase: FirebaseHash | undefined;
}

/** The password hash parameters of a Firebase project. */
export interface FirebaseHash {
  readonly signerKey: string;
  readonly saltSeparator: string;
  readonly rounds: number;
  readonly memCost: number;
}
