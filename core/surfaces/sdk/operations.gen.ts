// Written by `npm run generate` from the registry. Mend the operation, or core/surfaces/sdk/generate, never this file.

import type { CallOptions, ExactlyOne, Open, OperationFacts } from './types.js';

/** Every operation as a method, at its own name. */
export interface SvcOperations {
  /** Accounts, their projects and members, themes, and the audit log. */
  readonly account: {
    readonly activity: {
      /**
       * Show one audit record, with its request and its events.
       * Needs a secret key with `account:read`. Impact: reads only.
       */
      get(input: AccountActivityGetInput, options?: CallOptions): Promise<Open<AccountActivityGetResult>>;
      /**
       * List the audit log of this environment and its account, newest first.
       * Needs a secret key with `account:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the audit log of this environment and its account, newest first.
         * Needs a secret key with `account:read`. Impact: reads only.
         */
        (input?: AccountActivityListInput, options?: CallOptions): Promise<Open<AccountActivityListResult>>;
        /** Every item, page by page: `for await (const each of svc.account.activity.list.all()) …` */
        all(input?: AccountActivityListInput, options?: CallOptions): AsyncGenerator<Open<Activity>, void, undefined>;
      };
    };
    /**
     * Close the account: sending stops at once in every environment, including queued messages. Nothing is deleted.
     * Needs a secret key with `account:write`. Impact: destructive.
     * @throws SvcError `account_closed` (403): The account is closed: nothing is sent or bought until it is open again.
     * @throws SvcError `owner_only` (403): Only an owner can do this.
     * @throws SvcError `live_only` (403): {operation} changes what live users receive.
     */
    close(input: AccountCloseInput, options?: CallOptions): Promise<Open<AccountCloseResult>>;
    /**
     * Show the account behind the key, its projects and how many members it has.
     * Needs a secret key with `account:read`. Impact: reads only.
     */
    get(input?: AccountGetInput, options?: CallOptions): Promise<Open<AccountGetResult>>;
    readonly invite: {
      /**
       * Show what an invitation’s token is for, without using it.
       * Needs no key. Impact: reads only.
       * @throws SvcError `not_found` (404): There is no such {thing} in this environment.
       * @throws SvcError `invite_expired` (410): The invitation has expired.
       * @throws SvcError `invite_revoked` (410): The invitation was withdrawn.
       * @throws SvcError `invite_accepted` (409): The invitation was already accepted.
       */
      describe(input: AccountInviteDescribeInput, options?: CallOptions): Promise<Open<AccountInviteDescribeResult>>;
    };
    readonly member: {
      /**
       * Invite an address, or send its invitation again.
       * The link works for 7 days after it was last sent. Inviting the address again sends the same link, or a new one where it has expired, and changes the role where another is given. Requires an owner whose address is proven.
       * Needs a secret key with `account:write`.
       * @throws SvcError `owner_only` (403): Only an owner can do this.
       * @throws SvcError `permission_exceeds_caller` (403): You cannot grant what you do not hold yourself: {permissions}.
       * @throws SvcError `member_exists` (409): {email} is already an active member.
       * @throws SvcError `identity_unverified` (403): No owner of the account has proven their address yet.
       * @throws SvcError `auth_send_limited` (429): The budget of mail sent on the project’s behalf is used up: {limit} {period}.
       * @throws SvcError `account_closed` (403): The account is closed: nothing is sent or bought until it is open again.
       * @throws SvcError `provider_not_configured` (503): This deployment has no {provider} configured.
       */
      invite(input: AccountMemberInviteInput, options?: CallOptions): Promise<Open<AccountMemberInviteResult>>;
      /**
       * List the members of the account, newest first; removed ones only when asked for.
       * Needs a secret key with `account:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the members of the account, newest first; removed ones only when asked for.
         * Needs a secret key with `account:read`. Impact: reads only.
         */
        (input?: AccountMemberListInput, options?: CallOptions): Promise<Open<AccountMemberListResult>>;
        /** Every item, page by page: `for await (const each of svc.account.member.list.all()) …` */
        all(input?: AccountMemberListInput, options?: CallOptions): AsyncGenerator<Open<Member>, void, undefined>;
      };
      /**
       * Remove a member or withdraw an invitation. Their dashboard sessions lose the account at once.
       * Keys that the member created or rotated keep working with the role developer at most and without developers:write. The audit record lists them, so that an owner can rotate them.
       * Needs a secret key with `account:write`. Impact: safe to repeat, destructive.
       * @throws SvcError `owner_only` (403): Only an owner can do this.
       * @throws SvcError `last_owner` (409): The account would be left without an owner.
       * @throws SvcError `last_key` (409): “{name}” is the last key of the environment {environment} that holds developers:write.
       */
      remove(input: AccountMemberRemoveInput, options?: CallOptions): Promise<Open<AccountMemberRemoveResult>>;
      readonly role: {
        /**
         * Change a member’s role. Only an owner may promote to owner or demote an owner; nobody grants more than they hold.
         * When the role becomes weaker, keys that the member created or rotated keep working with the role developer at most and without developers:write. The audit record lists them, so that an owner can rotate them.
         * Needs a secret key with `account:write`. Impact: safe to repeat.
         * @throws SvcError `owner_only` (403): Only an owner can do this.
         * @throws SvcError `permission_exceeds_caller` (403): You cannot grant what you do not hold yourself: {permissions}.
         * @throws SvcError `last_owner` (409): The account would be left without an owner.
         * @throws SvcError `last_key` (409): “{name}” is the last key of the environment {environment} that holds developers:write.
         */
        set(input: AccountMemberRoleSetInput, options?: CallOptions): Promise<Open<AccountMemberRoleSetResult>>;
      };
    };
    readonly project: {
      /**
       * Add a project with a live and a test environment, each with a first secret and a first publishable key.
       * The secret keys hold the caller’s permissions. Live keys are created only when a live key or an owner’s dashboard session calls and the owner’s address is proven; otherwise `keys.live` is null.
       * Needs a secret key with `account:write`.
       * @throws SvcError `name_taken` (409): Another {thing} is already called “{name}”.
       * @throws SvcError `limit_reached` (409): There are already {limit} {things}, which is the most.
       * @throws SvcError `permission_exceeds_caller` (403): You cannot grant what you do not hold yourself: {permissions}.
       * @throws SvcError `account_closed` (403): The account is closed: nothing is sent or bought until it is open again.
       */
      create(input: AccountProjectCreateInput, options?: CallOptions): Promise<Open<AccountProjectCreateResult>>;
      /**
       * List the account’s projects with their environments, newest first.
       * Needs a secret key with `account:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the account’s projects with their environments, newest first.
         * Needs a secret key with `account:read`. Impact: reads only.
         */
        (input?: AccountProjectListInput, options?: CallOptions): Promise<Open<AccountProjectListResult>>;
        /** Every item, page by page: `for await (const each of svc.account.project.list.all()) …` */
        all(input?: AccountProjectListInput, options?: CallOptions): AsyncGenerator<Open<ProjectWithEnvironments>, void, undefined>;
      };
      /**
       * Rename a project, or set its default locale and time zone.
       * The project’s own sending domain does not change.
       * Needs a secret key with `account:write`. Impact: safe to repeat.
       * @throws SvcError `name_taken` (409): Another {thing} is already called “{name}”.
       */
      update(input: AccountProjectUpdateInput, options?: CallOptions): Promise<Open<AccountProjectUpdateResult>>;
    };
    /**
     * Reopen the account: messages held for less than a day are sent, older ones are cancelled.
     * Needs a secret key with `account:write`. Impact: safe to repeat.
     * @throws SvcError `owner_only` (403): Only an owner can do this.
     * @throws SvcError `live_only` (403): {operation} changes what live users receive.
     */
    reopen(input?: AccountReopenInput, options?: CallOptions): Promise<Open<AccountReopenResult>>;
    /**
     * Open an account with its owner, a first project, and that project’s live and test environments.
     * Returns keys of the test environment only, because the owner’s address is not proven until they sign in to the dashboard.
     * Needs no key.
     * @throws SvcError `email_taken` (409): {email} already owns an account.
     * @throws SvcError `signup_disabled` (403): Signup is disabled in this deployment.
     */
    signup(input: AccountSignupInput, options?: CallOptions): Promise<Open<AccountSignupResult>>;
    readonly theme: {
      readonly draft: {
        /**
         * Save a draft of the theme of hosted pages and system mail. It has no effect until it is published.
         * Needs a secret key with `account:write`. Impact: safe to repeat.
         */
        save(input: AccountThemeDraftSaveInput, options?: CallOptions): Promise<Open<AccountThemeDraftSaveResult>>;
      };
      /**
       * Show the published theme, the draft if there is one, and the contrast of every colour pair of both.
       * Needs a secret key with `account:read`. Impact: reads only.
       */
      get(input?: AccountThemeGetInput, options?: CallOptions): Promise<Open<AccountThemeGetResult>>;
      /**
       * Publish the draft of the theme. Refused where the contrast of a text pair is below WCAG AA (4.5:1).
       * Needs a secret key with `account:write`. Impact: safe to repeat.
       * @throws SvcError `contrast_too_low` (400): The contrast of these colour pairs is below WCAG AA (4.5:1): {pairs}.
       * @throws SvcError `draft_missing` (409): The theme has no draft to publish.
       */
      publish(input?: AccountThemePublishInput, options?: CallOptions): Promise<Open<AccountThemePublishResult>>;
      /**
       * Restore the default theme and delete the draft.
       * Needs a secret key with `account:write`. Impact: safe to repeat, destructive.
       */
      reset(input?: AccountThemeResetInput, options?: CallOptions): Promise<Open<AccountThemeResetResult>>;
    };
    /**
     * Change the account’s name, country, or where it heard of svc. Fields that are left out stay as they are.
     * Needs a secret key with `account:write`. Impact: safe to repeat.
     */
    update(input?: AccountUpdateInput, options?: CallOptions): Promise<Open<AccountUpdateResult>>;
  };

  /** Contacts, their consents, suppressions, segments, and the page where people choose what they receive. */
  readonly audience: {
    readonly consent: {
      /**
       * Append a record that a contact subscribed to a topic, with its evidence.
       * It lifts no suppression. A grant whose givenAt is not later than the current revocation is recorded and changes nothing, as is a grant of what is granted already.
       * Needs a secret key with `audience:write`.
       * @throws SvcError `topic_archived` (409): The topic {topic} is archived: nothing can be granted or sent under it.
       * @throws SvcError `suppression_standing` (403): The person asked for no more messages on {channel} ({reason}): a grant on their behalf cannot undo that.
       */
      grant(input: AudienceConsentGrantInput, options?: CallOptions): Promise<Open<AudienceConsentGrantResult>>;
      /**
       * List the consent history of one contact or of everyone, newest first.
       * Records are never changed. Those of deleted contacts stay, without anything that names the person.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the consent history of one contact or of everyone, newest first.
         * Records are never changed. Those of deleted contacts stay, without anything that names the person.
         * Needs a secret key with `audience:read`. Impact: reads only.
         */
        (input?: AudienceConsentListInput, options?: CallOptions): Promise<Open<AudienceConsentListResult>>;
        /** Every item, page by page: `for await (const each of svc.audience.consent.list.all()) …` */
        all(input?: AudienceConsentListInput, options?: CallOptions): AsyncGenerator<Open<ConsentRecord>, void, undefined>;
      };
      /**
       * Append a record that a contact unsubscribed, from one topic or from all of a channel.
       * For an opt-out that reached you elsewhere: on the phone, by letter, in a shop. A topic that is revoked already stays as it is, and its record is returned.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       */
      revoke(input: AudienceConsentRevokeInput, options?: CallOptions): Promise<Open<AudienceConsentRevokeResult>>;
    };
    readonly contact: {
      /**
       * Erase a contact and everything that names the person, everywhere, within the hour.
       * Answers a person’s request to be forgotten (GDPR, Article 17). Consent records stay, under the contact’s id only, and suppressions stay in force, under a keyed digest. Events, audit records, stored answers, deliveries and messages are redacted in the background; queued messages to the person are cancelled, for their other recipients too. What is found only by an address is spared while another contact or user has that address.
       * Needs a secret key with `audience:write`. Impact: safe to repeat, destructive.
       */
      delete(input: AudienceContactDeleteInput, options?: CallOptions): Promise<Open<AudienceContactDeleteResult>>;
      /**
       * Show one contact with its current consents and suppressions.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      get(input: AudienceContactGetInput, options?: CallOptions): Promise<Open<AudienceContactGetResult>>;
      /**
       * Import up to 50,000 contacts as rows or CSV, in the background.
       * Each row is what audience.contact.upsert takes, and is imported or rejected by itself: audience.import.get shows the progress and every rejected row. Rows are imported in order, up to 500 at once; a dry run checks each such part by itself. A CSV starts with a header line; comma, semicolon, tab or pipe, a first line sep=;, a byte order mark and quotes are understood, and blank lines are skipped. An empty cell leaves the field out. The cells of a property column are numbers if every cell of the file is a plain number (no leading zero, at most 15 digits), booleans if every cell is true or false in any case, and texts otherwise; a text in RFC 3339 form is a date-time. A consent without givenAt counts only for people who have never opted out.
       * Needs a secret key with `audience:write`.
       * @throws SvcError `batch_too_large` (413): The call holds {count} {things}; one call takes {limit}.
       * @throws SvcError `topic_archived` (409): The topic {topic} is archived: nothing can be granted or sent under it.
       */
      import(input: AudienceContactImportInput, options?: CallOptions): Promise<Open<AudienceContactImportResult>>;
      /**
       * List contacts, newest first: all, or those in a segment, with a consent, or matching a query.
       * Filters are combined: listed contacts match all of them.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List contacts, newest first: all, or those in a segment, with a consent, or matching a query.
         * Filters are combined: listed contacts match all of them.
         * Needs a secret key with `audience:read`. Impact: reads only.
         */
        (input?: AudienceContactListInput, options?: CallOptions): Promise<Open<AudienceContactListResult>>;
        /** Every item, page by page: `for await (const each of svc.audience.contact.list.all()) …` */
        all(input?: AudienceContactListInput, options?: CallOptions): AsyncGenerator<Open<Contact>, void, undefined>;
      };
      /**
       * Change one contact by its id.
       * Absent fields stay as they are; null clears a field or removes a property. Consents stay with the contact; suppressions stay with the address, so a new address starts without any.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       * @throws SvcError `contact_conflict` (409): Another contact has at least one of these identifiers: {fields}.
       */
      update(input: AudienceContactUpdateInput, options?: CallOptions): Promise<Open<AudienceContactUpdateResult>>;
      /**
       * Create a contact, or update the one with the same external id, email or phone.
       * Add a person, or what you have learned about one. A contact is matched by external id, then email, then phone; identifiers of different contacts are refused. Properties are merged key by key, and null removes a key. Consents are granted with their source. A consent that is granted already changes nothing, nor does one without a givenAt later than the person’s opt-out, so a nightly upsert never subscribes anybody again. While the person’s own unsubscribe, complaint or STOP is active, only they can undo it.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       * @throws SvcError `contact_conflict` (409): Another contact has at least one of these identifiers: {fields}.
       * @throws SvcError `topic_archived` (409): The topic {topic} is archived: nothing can be granted or sent under it.
       */
      upsert(input?: AudienceContactUpsertInput, options?: CallOptions): Promise<Open<AudienceContactUpsertResult>>;
    };
    readonly event: {
      /**
       * Record something a contact did in your product, for segments and to trigger automations.
       * Segments use its count and last time (event.<name>.count, event.<name>.lastAt), which stay when the event itself is deleted after SVC_EVENT_RETENTION_DAYS. A repeat with the same name and eventId answers `recorded: false` and counts nothing.
       * Needs a secret key with `audience:write`.
       */
      record(input: AudienceEventRecordInput, options?: CallOptions): Promise<Open<AudienceEventRecordResult>>;
    };
    readonly import: {
      /**
       * Show an import’s progress and its rejected rows.
       * Rejected rows are listed by row number, 100 per page: `before` is the `nextBefore` of the previous page. Rows that matched a contact and changed nothing count only as processed.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      readonly get: {
        /**
         * Show an import’s progress and its rejected rows.
         * Rejected rows are listed by row number, 100 per page: `before` is the `nextBefore` of the previous page. Rows that matched a contact and changed nothing count only as processed.
         * Needs a secret key with `audience:read`. Impact: reads only.
         */
        (input: AudienceImportGetInput, options?: CallOptions): Promise<Open<AudienceImportGetResult>>;
        /** Every item, page by page: `for await (const each of svc.audience.import.get.all()) …` */
        all(input: AudienceImportGetInput, options?: CallOptions): AsyncGenerator<Open<{
          /** Counted from 1, without the header line and blank lines of a CSV. (at least 1) */
          row: number;
          code: string;
          message: string;
        }>, void, undefined>;
      };
    };
    readonly preferences: {
      /**
       * Show a person’s preferences, for the token of a preferences link.
       * Lists public topics that are not archived, and the topic of the message that contains the link even if it is not public. Only links made by audience.preferences.link with expiresAt expire; links in messages never do.
       * Needs no key. Impact: reads only.
       * @throws SvcError `not_found` (404): There is no such {thing} in this environment.
       * @throws SvcError `link_expired` (410): This preferences link expired at {expiredAt}.
       */
      get(input: AudiencePreferencesGetInput, options?: CallOptions): Promise<Open<AudiencePreferencesGetResult>>;
      /**
       * Create a link to the preferences page of one contact, to show inside your own product.
       * Anyone who has the link can see and change the contact’s subscriptions. Without expiresAt it never expires.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       */
      link(input: AudiencePreferencesLinkInput, options?: CallOptions): Promise<Open<AudiencePreferencesLinkResult>>;
      /**
       * Change the subscriptions of the person who has the link; each change is an appended consent record.
       * What is as wanted already gets no record. `unsubscribeAll` true unsubscribes from every topic of the channel and suppresses the address for messages under a topic; false, or subscribing to a topic, takes that back. Suppressions that the person cannot lift here stay, and are named in `suppressionReason`: a bounce, a suppression by hand, STOP (lifted by texting START).
       * Needs no key.
       * @throws SvcError `not_found` (404): There is no such {thing} in this environment.
       * @throws SvcError `link_expired` (410): This preferences link expired at {expiredAt}.
       */
      set(input: AudiencePreferencesSetInput, options?: CallOptions): Promise<Open<AudiencePreferencesSetResult>>;
    };
    readonly segment: {
      /**
       * Save a live segment of contacts: a tree of all, any and not over conditions.
       * A definition is {all: […]}, {any: […]}, {not: …} or {field, op, value}, at most 8 deep and with at most 100 conditions. Fields: email, phone, locale, createdAt, properties.<key>, consent.<channel>.<topic> (granted or revoked; without the channel, by email), event.<name>.count, event.<name>.lastAt, message.email.lastSentAt. Operators: eq, neq, gt, gte, lt, lte, contains, starts_with, exists, not_exists, in (at most 100 values), within_days (in the last so many days). Only values of the same kind compare: texts (exactly; addresses in any case), numbers, booleans, date-times. neq is the negation of eq, so it also matches contacts without a value; an event that never happened has the count 0; for a consent, exists means granted. Membership is live: it is evaluated whenever the segment is used.
       * Needs a secret key with `audience:write`.
       * @throws SvcError `invalid_definition` (400): The definition is invalid at {node}: {problem}.
       * @throws SvcError `name_taken` (409): Another {thing} is already called “{name}”.
       * @throws SvcError `limit_reached` (409): There are already {limit} {things}, which is the most.
       */
      create(input: AudienceSegmentCreateInput, options?: CallOptions): Promise<Open<AudienceSegmentCreateResult>>;
      /**
       * Delete a segment; refused while an open broadcast or active automation uses it.
       * Its name can be used again. Deleting it once more is answered as done.
       * Needs a secret key with `audience:write`. Impact: safe to repeat, destructive.
       * @throws SvcError `segment_in_use` (409): The segment is used by {users}.
       */
      delete(input: AudienceSegmentDeleteInput, options?: CallOptions): Promise<Open<AudienceSegmentDeleteResult>>;
      /**
       * Show one segment with its current size.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      get(input: AudienceSegmentGetInput, options?: CallOptions): Promise<Open<AudienceSegmentGetResult>>;
      /**
       * List the environment’s segments, newest first.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the environment’s segments, newest first.
         * Needs a secret key with `audience:read`. Impact: reads only.
         */
        (input?: AudienceSegmentListInput, options?: CallOptions): Promise<Open<AudienceSegmentListResult>>;
        /** Every item, page by page: `for await (const each of svc.audience.segment.list.all()) …` */
        all(input?: AudienceSegmentListInput, options?: CallOptions): AsyncGenerator<Open<Segment>, void, undefined>;
      };
      /**
       * Count the contacts that a definition matches, and show the newest of them, without saving it.
       * A definition is {all: […]}, {any: […]}, {not: …} or {field, op, value}, at most 8 deep and with at most 100 conditions. Fields: email, phone, locale, createdAt, properties.<key>, consent.<channel>.<topic> (granted or revoked; without the channel, by email), event.<name>.count, event.<name>.lastAt, message.email.lastSentAt. Operators: eq, neq, gt, gte, lt, lte, contains, starts_with, exists, not_exists, in (at most 100 values), within_days (in the last so many days). Only values of the same kind compare: texts (exactly; addresses in any case), numbers, booleans, date-times. neq is the negation of eq, so it also matches contacts without a value; an event that never happened has the count 0; for a consent, exists means granted. Membership is live: it is evaluated whenever the segment is used.
       * Needs a secret key with `audience:read`. Impact: reads only.
       * @throws SvcError `invalid_definition` (400): The definition is invalid at {node}: {problem}.
       */
      preview(input: AudienceSegmentPreviewInput, options?: CallOptions): Promise<Open<AudienceSegmentPreviewResult>>;
      /**
       * Rename a segment or change its definition.
       * Absent fields stay as they are. A definition is {all: […]}, {any: […]}, {not: …} or {field, op, value}, at most 8 deep and with at most 100 conditions. Fields: email, phone, locale, createdAt, properties.<key>, consent.<channel>.<topic> (granted or revoked; without the channel, by email), event.<name>.count, event.<name>.lastAt, message.email.lastSentAt. Operators: eq, neq, gt, gte, lt, lte, contains, starts_with, exists, not_exists, in (at most 100 values), within_days (in the last so many days). Only values of the same kind compare: texts (exactly; addresses in any case), numbers, booleans, date-times. neq is the negation of eq, so it also matches contacts without a value; an event that never happened has the count 0; for a consent, exists means granted. Membership is live: it is evaluated whenever the segment is used.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       * @throws SvcError `invalid_definition` (400): The definition is invalid at {node}: {problem}.
       * @throws SvcError `name_taken` (409): Another {thing} is already called “{name}”.
       */
      update(input: AudienceSegmentUpdateInput, options?: CallOptions): Promise<Open<AudienceSegmentUpdateResult>>;
    };
    readonly suppression: {
      /**
       * Suppress an address or number by hand: nothing is sent there except system messages.
       * The do-not-contact list, or block list. It applies to every topic and to messages without one, whether or not a contact has the address; sign-in codes, invitations and other system messages are still sent. An address that is suppressed by hand already stays as it is, including its note.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       */
      add(input: AudienceSuppressionAddInput, options?: CallOptions): Promise<Open<AudienceSuppressionAddResult>>;
      /**
       * Lift a suppression, so that messages are sent to the address or number again.
       * A suppression that the person asked for (unsubscribe, STOP, complaint) can be lifted only by the person. One that is lifted already stays as it is.
       * Needs a secret key with `audience:write`. Impact: safe to repeat, destructive.
       * @throws SvcError `suppression_not_liftable` (409): The person asked for this suppression ({reason}): only they can lift it.
       */
      lift(input: AudienceSuppressionLiftInput, options?: CallOptions): Promise<Open<AudienceSuppressionLiftResult>>;
      /**
       * List suppressed addresses and numbers with their reasons, newest first.
       * Lifted suppressions are listed too, with `liftedAt`. Filters are combined. What a reason blocks: `bounce` and `stop` every message; `complaint` and `manual` all but system messages such as sign-in codes; `unsubscribe` only messages under a topic, so receipts are still sent.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List suppressed addresses and numbers with their reasons, newest first.
         * Lifted suppressions are listed too, with `liftedAt`. Filters are combined. What a reason blocks: `bounce` and `stop` every message; `complaint` and `manual` all but system messages such as sign-in codes; `unsubscribe` only messages under a topic, so receipts are still sent.
         * Needs a secret key with `audience:read`. Impact: reads only.
         */
        (input?: AudienceSuppressionListInput, options?: CallOptions): Promise<Open<AudienceSuppressionListResult>>;
        /** Every item, page by page: `for await (const each of svc.audience.suppression.list.all()) …` */
        all(input?: AudienceSuppressionListInput, options?: CallOptions): AsyncGenerator<Open<Suppression>, void, undefined>;
      };
    };
    readonly topic: {
      /**
       * Archive a topic: its consents stay on record, and nothing can be sent or granted under it.
       * A topic that is archived already stays as it is. audience.topic.restore brings it back.
       * Needs a secret key with `audience:write`. Impact: safe to repeat, destructive.
       * @throws SvcError `topic_in_use` (409): The topic {topic} is used by {users}.
       */
      archive(input: AudienceTopicArchiveInput, options?: CallOptions): Promise<Open<AudienceTopicArchiveResult>>;
      /**
       * Create a consent topic that people can subscribe to; its key is fixed.
       * An environment has at most 200 topics, archived ones included.
       * Needs a secret key with `audience:write`.
       * @throws SvcError `topic_key_taken` (409): There is already a topic with the key {key}.
       * @throws SvcError `limit_reached` (409): There are already {limit} {things}, which is the most.
       */
      create(input: AudienceTopicCreateInput, options?: CallOptions): Promise<Open<AudienceTopicCreateResult>>;
      /**
       * Show one topic, and how many contacts are subscribed to it on each channel.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      get(input: AudienceTopicGetInput, options?: CallOptions): Promise<Open<AudienceTopicGetResult>>;
      /**
       * List the environment’s topics, newest first.
       * Needs a secret key with `audience:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the environment’s topics, newest first.
         * Needs a secret key with `audience:read`. Impact: reads only.
         */
        (input?: AudienceTopicListInput, options?: CallOptions): Promise<Open<AudienceTopicListResult>>;
        /** Every item, page by page: `for await (const each of svc.audience.topic.list.all()) …` */
        all(input?: AudienceTopicListInput, options?: CallOptions): AsyncGenerator<Open<Topic>, void, undefined>;
      };
      /**
       * Restore an archived topic with the consents it had.
       * A topic that is not archived stays as it is.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       */
      restore(input: AudienceTopicRestoreInput, options?: CallOptions): Promise<Open<AudienceTopicRestoreResult>>;
      /**
       * Change a topic’s name, description, channels or visibility; its key is fixed.
       * Absent fields stay as they are. Consents on a removed channel stay on record; nothing is sent on it.
       * Needs a secret key with `audience:write`. Impact: safe to repeat.
       */
      update(input: AudienceTopicUpdateInput, options?: CallOptions): Promise<Open<AudienceTopicUpdateResult>>;
    };
  };

  /** API keys, webhook endpoints and their deliveries, the event log. */
  readonly developers: {
    readonly event: {
      /**
       * Show one event with its payload and the deliveries it caused.
       * Needs a secret key with `developers:read`. Impact: reads only.
       */
      get(input: DevelopersEventGetInput, options?: CallOptions): Promise<Open<DevelopersEventGetResult>>;
      /**
       * List the environment’s events, newest first, with their payloads. An event is listed within a second of its commit, and never behind one that was listed before: whoever reads down to the newest event seen last misses none.
       * Needs a secret key with `developers:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the environment’s events, newest first, with their payloads. An event is listed within a second of its commit, and never behind one that was listed before: whoever reads down to the newest event seen last misses none.
         * Needs a secret key with `developers:read`. Impact: reads only.
         */
        (input?: DevelopersEventListInput, options?: CallOptions): Promise<Open<DevelopersEventListResult>>;
        /** Every item, page by page: `for await (const each of svc.developers.event.list.all()) …` */
        all(input?: DevelopersEventListInput, options?: CallOptions): AsyncGenerator<Open<Event>, void, undefined>;
      };
    };
    readonly key: {
      /**
       * Create a key in this environment; its plaintext is returned once.
       * Needs a secret key with `developers:write`.
       * @throws SvcError `permission_exceeds_caller` (403): You cannot grant what you do not hold yourself: {permissions}.
       * @throws SvcError `limit_reached` (409): There are already {limit} {things}, which is the most.
       */
      create(input: DevelopersKeyCreateInput, options?: CallOptions): Promise<Open<DevelopersKeyCreateResult>>;
      /**
       * Show the key or dashboard session that makes this call, and its remaining requests this minute.
       * Needs a secret key. Impact: reads only.
       */
      current(input?: DevelopersKeyCurrentInput, options?: CallOptions): Promise<Open<DevelopersKeyCurrentResult>>;
      /**
       * List keys with their prefix, permissions and last use, never their plaintext or hash.
       * Needs a secret key with `developers:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List keys with their prefix, permissions and last use, never their plaintext or hash.
         * Needs a secret key with `developers:read`. Impact: reads only.
         */
        (input?: DevelopersKeyListInput, options?: CallOptions): Promise<Open<DevelopersKeyListResult>>;
        /** Every item, page by page: `for await (const each of svc.developers.key.list.all()) …` */
        all(input?: DevelopersKeyListInput, options?: CallOptions): AsyncGenerator<Open<Key>, void, undefined>;
      };
      /**
       * Revoke a key at once. Refused for the last key that holds developers:write.
       * Needs a secret key with `developers:write`. Impact: safe to repeat, destructive.
       * @throws SvcError `last_key` (409): “{name}” is the last key of the environment {environment} that holds developers:write.
       */
      revoke(input: DevelopersKeyRevokeInput, options?: CallOptions): Promise<Open<DevelopersKeyRevokeResult>>;
      /**
       * Replace a key with a new one of the same name and permissions; the old one stops working at once.
       * Needs a secret key with `developers:write`. Impact: destructive.
       * @throws SvcError `key_revoked` (409): The key “{name}” is revoked.
       * @throws SvcError `permission_exceeds_caller` (403): You cannot grant what you do not hold yourself: {permissions}.
       */
      rotate(input: DevelopersKeyRotateInput, options?: CallOptions): Promise<Open<DevelopersKeyRotateResult>>;
      /**
       * Change a key’s name, permissions or origins; its value stays the same, and requests with it go on.
       * Needs a secret key with `developers:write`. Impact: safe to repeat.
       * @throws SvcError `permission_exceeds_caller` (403): You cannot grant what you do not hold yourself: {permissions}.
       * @throws SvcError `key_revoked` (409): The key “{name}” is revoked.
       * @throws SvcError `last_key` (409): “{name}” is the last key of the environment {environment} that holds developers:write.
       */
      update(input: DevelopersKeyUpdateInput, options?: CallOptions): Promise<Open<DevelopersKeyUpdateResult>>;
    };
    readonly webhook: {
      /**
       * Make an endpoint that receives events; its signing secret is returned once.
       * Needs a secret key with `developers:write`.
       * @throws SvcError `unknown_event_type` (404): svc emits no event named {name}.
       * @throws SvcError `url_not_allowed` (403): The address cannot be called: {problem}.
       * @throws SvcError `limit_reached` (409): There are already {limit} {things}, which is the most.
       */
      create(input: DevelopersWebhookCreateInput, options?: CallOptions): Promise<Open<DevelopersWebhookCreateResult>>;
      readonly deliveries: {
        /**
         * List delivery attempts, newest first.
         * Needs a secret key with `developers:read`. Impact: reads only.
         */
        readonly list: {
          /**
           * List delivery attempts, newest first.
           * Needs a secret key with `developers:read`. Impact: reads only.
           */
          (input?: DevelopersWebhookDeliveriesListInput, options?: CallOptions): Promise<Open<DevelopersWebhookDeliveriesListResult>>;
          /** Every item, page by page: `for await (const each of svc.developers.webhook.deliveries.list.all()) …` */
          all(input?: DevelopersWebhookDeliveriesListInput, options?: CallOptions): AsyncGenerator<Open<WebhookDelivery>, void, undefined>;
        };
        /**
         * Send every dead delivery of an endpoint again, oldest first.
         * A dead delivery that was sent again already is left out; should that have died too, it is the one that is sent.
         * Needs a secret key with `developers:write`.
         * @throws SvcError `endpoint_disabled` (409): The endpoint {url} is disabled.
         * @throws SvcError `unknown_event_type` (404): svc emits no event named {name}.
         */
        replay(input: DevelopersWebhookDeliveriesReplayInput, options?: CallOptions): Promise<Open<DevelopersWebhookDeliveriesReplayResult>>;
      };
      readonly delivery: {
        /**
         * Show one delivery attempt: what was sent, what came back, status, error, duration, and the other attempts.
         * Needs a secret key with `developers:read`. Impact: reads only.
         */
        get(input: DevelopersWebhookDeliveryGetInput, options?: CallOptions): Promise<Open<DevelopersWebhookDeliveryGetResult>>;
        /**
         * Send one failed or dead delivery again, as a new attempt of the same event.
         * Needs a secret key with `developers:write`.
         * @throws SvcError `delivery_not_replayable` (409): The delivery is {status}: only failed and dead ones are sent again.
         * @throws SvcError `endpoint_disabled` (409): The endpoint {url} is disabled.
         */
        replay(input: DevelopersWebhookDeliveryReplayInput, options?: CallOptions): Promise<Open<DevelopersWebhookDeliveryReplayResult>>;
      };
      /**
       * Stop deliveries to an endpoint without deleting it or its history; what is queued waits.
       * Needs a secret key with `developers:write`. Impact: safe to repeat, destructive.
       */
      disable(input: DevelopersWebhookDisableInput, options?: CallOptions): Promise<Open<DevelopersWebhookDisableResult>>;
      /**
       * Resume deliveries to an endpoint, those that waited included.
       * Needs a secret key with `developers:write`. Impact: safe to repeat.
       */
      enable(input: DevelopersWebhookEnableInput, options?: CallOptions): Promise<Open<DevelopersWebhookEnableResult>>;
      /**
       * Show one endpoint with its health: deliveries by status, last success, last failure.
       * Needs a secret key with `developers:read`. Impact: reads only.
       */
      get(input: DevelopersWebhookGetInput, options?: CallOptions): Promise<Open<DevelopersWebhookGetResult>>;
      /**
       * List the environment’s endpoints.
       * Needs a secret key with `developers:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List the environment’s endpoints.
         * Needs a secret key with `developers:read`. Impact: reads only.
         */
        (input?: DevelopersWebhookListInput, options?: CallOptions): Promise<Open<DevelopersWebhookListResult>>;
        /** Every item, page by page: `for await (const each of svc.developers.webhook.list.all()) …` */
        all(input?: DevelopersWebhookListInput, options?: CallOptions): AsyncGenerator<Open<WebhookEndpoint>, void, undefined>;
      };
      readonly secret: {
        /**
         * Make a new signing secret; the old one stops verifying at once, and queued deliveries are signed with the new one.
         * Needs a secret key with `developers:write`. Impact: destructive.
         */
        rotate(input: DevelopersWebhookSecretRotateInput, options?: CallOptions): Promise<Open<DevelopersWebhookSecretRotateResult>>;
      };
      /**
       * Send a developers.webhook.test event to an endpoint now, and report what it answered.
       * Needs a secret key with `developers:write`.
       * @throws SvcError `endpoint_disabled` (409): The endpoint {url} is disabled.
       * @throws SvcError `unknown_event_type` (404): svc emits no event named {name}.
       */
      test(input: DevelopersWebhookTestInput, options?: CallOptions): Promise<Open<DevelopersWebhookTestResult>>;
      /**
       * Change an endpoint’s address, filter or description; what is left out stays.
       * Needs a secret key with `developers:write`. Impact: safe to repeat.
       * @throws SvcError `unknown_event_type` (404): svc emits no event named {name}.
       * @throws SvcError `url_not_allowed` (403): The address cannot be called: {problem}.
       */
      update(input: DevelopersWebhookUpdateInput, options?: CallOptions): Promise<Open<DevelopersWebhookUpdateResult>>;
    };
  };

  /** Single messages, their delivery and their sender. */
  readonly email: {
    readonly message: {
      /**
       * Cancel a message that has not been handed to delivery.
       * Needs a secret key with `email:write`. Impact: safe to repeat, destructive.
       * @throws SvcError `message_not_cancellable` (409): The message is {status}: only a queued message can be cancelled.
       */
      cancel(input: EmailMessageCancelInput, options?: CallOptions): Promise<Open<EmailMessageCancelResult>>;
      /**
       * Show one message with its content, its recipients, its delivery attempts and its timeline.
       * Needs a secret key with `email:read`. Impact: reads only.
       */
      get(input: EmailMessageGetInput, options?: CallOptions): Promise<Open<EmailMessageGetResult>>;
      /**
       * List messages, newest first.
       * Needs a secret key with `email:read`. Impact: reads only.
       */
      readonly list: {
        /**
         * List messages, newest first.
         * Needs a secret key with `email:read`. Impact: reads only.
         */
        (input?: EmailMessageListInput, options?: CallOptions): Promise<Open<EmailMessageListResult>>;
        /** Every item, page by page: `for await (const each of svc.email.message.list.all()) …` */
        all(input?: EmailMessageListInput, options?: CallOptions): AsyncGenerator<Open<EmailMessage>, void, undefined>;
      };
    };
    /**
     * Accept one message for delivery, and queue it durably before answering.
     * Accepted is not delivered: check `status` and `blocked`. A message is `suppressed` when none of its recipients may get it; `suppressedRecipients` lists those who do not get it. Test environments send only to active members of the account.
     * Needs a secret key with `email:write`. Impact: billable.
     * @throws SvcError `missing_variables` (400): The content refers to variables that were not supplied: {names}. Nothing was sent.
     * @throws SvcError `template_invalid` (400): The {part} has a syntax problem at line {line}, column {column}: {problem}.
     * @throws SvcError `sender_not_verified` (403): The address {from} is on no verified domain of this environment.
     * @throws SvcError `attachments_too_large` (413): The attachments are {bytes} bytes together, above the limit of {limit}.
     * @throws SvcError `account_closed` (403): The account is closed: nothing is sent or bought until it is open again.
     * @throws SvcError `topic_archived` (409): The topic {topic} is archived: nothing can be granted or sent under it.
     */
    send(input: EmailSendInput, options?: CallOptions): Promise<Open<EmailSendResult>>;
    readonly sender: {
      /**
       * Show the default sender and the legal postal address that marketing mail must contain.
       * Needs a secret key with `email:read`. Impact: reads only.
       */
      get(input?: EmailSenderGetInput, options?: CallOptions): Promise<Open<EmailSenderGetResult>>;
      /**
       * Set the default from address, name, reply-to and legal postal address. Absent fields stay as they are.
       * Needs a secret key with `email:write`. Impact: safe to repeat.
       * @throws SvcError `sender_not_verified` (403): The address {from} is on no verified domain of this environment.
       */
      set(input?: EmailSenderSetInput, options?: CallOptions): Promise<Open<EmailSenderSetResult>>;
    };
  };
}

export interface Account {
  /** uuid */
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2 code, such as DE. */
  country: string | null;
  /** Where you heard of svc. */
  heardFrom: 'search' | 'ai_assistant' | 'social' | 'referral' | 'content' | 'community' | 'event' | 'other' | null;
  heardFromDetail: string | null;
  /** date-time */
  createdAt: string;
  /** date-time */
  closedAt: string | null;
  closedReason: string | null;
}

export interface Activity {
  /** uuid */
  id: string;
  operation: string;
  actor: Open<{
    kind: 'key' | 'member' | 'user' | 'public' | 'system';
    id: string;
    /** For people: a key’s name, a member’s address. */
    label: string;
  }>;
  subject: Open<{
    type: string;
    id: string;
  }> | null;
  /** One line for people. */
  summary: string;
  /** Which fields changed, with both values; secrets never. */
  changes: Open<{
    field: string;
    from: unknown;
    to: unknown;
  }>[];
  /** The request that did it. (uuid) */
  requestId: string;
  ip: string;
  userAgent: string | null;
  /** date-time */
  createdAt: string;
}

export interface Consent {
  topic: string;
  /** The channel: email, or sms for text messages. */
  channel: 'email' | 'sms';
  state: 'granted' | 'revoked';
  /** date-time */
  since: string;
  source: string;
}

export interface ConsentRecord {
  /** uuid */
  id: string;
  /** uuid */
  contactId: string;
  topic: string;
  /** The channel: email, or sms for text messages. */
  channel: 'email' | 'sms';
  state: 'granted' | 'revoked';
  /** Whether the record changed the consent. A grant older than an opt-out does not. */
  effective: boolean;
  /** Where it was given: a form, a checkout, a preferences link. */
  source: string;
  /** The words that the person agreed to. */
  wording: string | null;
  /** The IP address it was given from; erased with the contact. */
  ip: string | null;
  /** date-time */
  givenAt: string;
  /** date-time */
  recordedAt: string;
  actor: Open<{
    kind: 'key' | 'member' | 'user' | 'public' | 'system';
    id: string;
    /** A readable name: that of a key, the address of a member. */
    label: string;
  }>;
}

export interface Contact {
  /** uuid */
  id: string;
  /** The contact’s id in your own product. */
  externalId: string | null;
  /** email */
  email: string | null;
  /** E.164. (phone) */
  phone: string | null;
  firstName: string | null;
  lastName: string | null;
  /** BCP 47 tag: the language of the preferences page and of templates. */
  locale: string | null;
  /** IANA name. */
  timeZone: string | null;
  /** What you know about the contact. */
  properties: Record<string, string | number | boolean>;
  /** date-time */
  createdAt: string;
  /** date-time */
  updatedAt: string;
}

export interface ContactInput {
  /** The contact’s id in your own product. (1 to 200 characters) */
  externalId?: string;
  /** email */
  email?: string;
  /** E.164. (phone) */
  phone?: string;
  /** at most 200 characters */
  firstName?: string | null;
  /** at most 200 characters */
  lastName?: string | null;
  /** BCP 47 tag, such as de or pt-BR. (2 to 35 characters) */
  locale?: string | null;
  /** IANA name, such as Europe/Berlin. (1 to 64 characters) */
  timeZone?: string | null;
  /** Merged key by key; null removes a key. */
  properties?: Record<string, string | number | boolean | null>;
  /** Consents to grant. (at most 100 items) */
  consents?: ({
    /** The key of a topic, such as news. (1 to 64 characters) */
    topic: string;
    /** The channel: email, or sms for text messages. */
    channel: 'email' | 'sms';
    /** Where it was given. (1 to 200 characters) */
    source: string;
    /** The words that the person agreed to. (at most 2000 characters) */
    wording?: string;
    /** When it was given. Without it, the consent counts only for people who have never opted out. (date-time) */
    givenAt?: string;
  })[];
}

export interface EmailMessage {
  /** uuid */
  messageId: string;
  status: 'queued' | 'held' | 'sending' | 'sent' | 'failed' | 'suppressed' | 'cancelled' | 'bounced';
  blocked: Open<{
    reason: 'test_environment' | 'no_consent' | 'suppressed_recipient';
    /** The next step. */
    fix: string;
  }> | null;
  /** Recipients who do not get it. */
  suppressedRecipients: string[];
  /** Sent by the service on the project’s behalf. Its content is never readable. */
  system: boolean;
  to: string[];
  cc: string[];
  bcc: string[];
  /** email */
  from: string;
  fromName: string | null;
  replyTo: string[];
  /** Null for system mail, and once a recipient was erased. */
  subject: string | null;
  template: string | null;
  templateVersion: number | null;
  templateLocale: string | null;
  topic: string | null;
  /** uuid */
  broadcastId: string | null;
  /** uuid */
  automationId: string | null;
  /** uuid */
  contactId: string | null;
  tags: Record<string, string>;
  /** date-time */
  sendAfter: string | null;
  /** date-time */
  sentAt: string | null;
  /** date-time */
  bouncedAt: string | null;
  bounce: Open<{
    kind: 'hard' | 'soft';
    code: string | null;
    detail: string;
  }> | null;
  /** date-time */
  createdAt: string;
}

export interface Environment {
  /** uuid */
  id: string;
  /** uuid */
  projectId: string;
  kind: 'live' | 'test';
  /** date-time */
  createdAt: string;
}

export interface Event {
  /** The same at every delivery: what to tell repeats by. Also the header Svc-Event-Id. (uuid) */
  id: string;
  /** The event’s name. */
  type: string;
  /** date-time */
  createdAt: string;
  /** uuid */
  accountId: string;
  /** uuid */
  projectId: string;
  /** uuid */
  environmentId: string;
  environment: 'live' | 'test';
  /** The audit record of the call that wrote it; null where a worker did. (uuid) */
  activityId: string | null;
  subject: Open<{
    type: string;
    id: string;
  }>;
  /** The resource, as its get operation returns it. */
  data: Record<string, unknown>;
}

export interface Import {
  /** uuid */
  id: string;
  status: 'queued' | 'running' | 'done' | 'failed';
  /** Nothing is written; the counts tell what an import would do. */
  dryRun: boolean;
  /** Rows in the call. */
  total: number;
  /** Rows processed so far, including rejected ones. */
  processed: number;
  created: number;
  updated: number;
  /** Rejected rows; audience.import.get lists them. */
  rejected: number;
  /** date-time */
  createdAt: string;
  /** date-time */
  startedAt: string | null;
  /** date-time */
  finishedAt: string | null;
}

export interface Key {
  /** uuid */
  id: string;
  /** Yours to choose. */
  name: string;
  kind: 'secret' | 'publishable';
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  /** `<product>:read` or `<product>:write`; publishable keys hold `auth:public` alone. */
  permissions: string[];
  /** uuid */
  environmentId: string;
  /** Browser origins that may use a publishable key; null for any. */
  allowedOrigins: string[] | null;
  /** A key’s name, or a member’s address. */
  createdBy: string;
  /** date-time */
  createdAt: string;
  /** Accurate to a few seconds. (date-time) */
  lastUsedAt: string | null;
  /** date-time */
  revokedAt: string | null;
}

export interface Member {
  /** uuid */
  id: string;
  /** The invited address. (email) */
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer';
  status: 'invited' | 'active' | 'removed';
  /** The inviting member’s address; null where a key of the account invited. */
  invitedBy: string | null;
  /** date-time */
  inviteExpiresAt: string | null;
  /** date-time */
  acceptedAt: string | null;
  /** date-time */
  createdAt: string;
}

export interface Preferences {
  /** uuid */
  environmentId: string;
  projectName: string;
  /** email */
  email: string | null;
  /** phone */
  phone: string | null;
  channels: Open<{
    email: Open<{
      topics: (Open<{
        key: string;
        name: string;
        description: string | null;
        subscribed: boolean;
      }>)[];
      /** The person unsubscribed from everything, complained or sent STOP on this channel. */
      unsubscribedAll: boolean;
      /** What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic. */
      suppressionReason: 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual' | null;
    }>;
    sms: Open<{
      topics: (Open<{
        key: string;
        name: string;
        description: string | null;
        subscribed: boolean;
      }>)[];
      /** The person unsubscribed from everything, complained or sent STOP on this channel. */
      unsubscribedAll: boolean;
      /** What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic. */
      suppressionReason: 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual' | null;
    }>;
  }>;
}

export interface Project {
  /** uuid */
  id: string;
  name: string;
  /** The first label of the project’s own sending domain. */
  slug: string;
  /** BCP 47 tag. */
  locale: string;
  /** IANA name. */
  timeZone: string;
  /** date-time */
  createdAt: string;
}

export interface ProjectWithEnvironments {
  /** uuid */
  id: string;
  name: string;
  /** The first label of the project’s own sending domain. */
  slug: string;
  /** BCP 47 tag. */
  locale: string;
  /** IANA name. */
  timeZone: string;
  /** date-time */
  createdAt: string;
  environments: Open<Environment>[];
}

export interface Segment {
  /** uuid */
  id: string;
  name: string;
  /** A tree of {all: […]}, {any: […]}, {not: …} and {field, op, value}. */
  definition: SegmentDefinition;
  /** date-time */
  createdAt: string;
  /** date-time */
  updatedAt: string;
}

export type SegmentDefinition = Record<string, unknown>;

export type SegmentDefinitionInput = Record<string, unknown>;

export interface Sender {
  /** email */
  from: string | null;
  fromName: string | null;
  /** email */
  replyTo: string | null;
  /** The postal address that marketing mail must contain. */
  legalAddress: string | null;
  /** date-time */
  updatedAt: string | null;
}

export interface Suppression {
  /** uuid */
  id: string;
  /** The channel: email, or sms for text messages. */
  channel: 'email' | 'sms';
  /** Null for sms, and after the person was erased. (email) */
  email: string | null;
  /** Null for email, and after the person was erased. (phone) */
  phone: string | null;
  /** What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic. */
  reason: 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual';
  note: string | null;
  /** Whether audience.suppression.lift can lift it. What the person asked for, only the person can lift. */
  liftable: boolean;
  /** date-time */
  createdAt: string;
  /** date-time */
  liftedAt: string | null;
}

export interface Theme {
  /** 0 is the default theme. */
  version: number;
  brandName: string;
  /** uri */
  logoUrl: string | null;
  colors: Open<{
    /** A colour as #rrggbb. */
    background: string;
    /** A colour as #rrggbb. */
    surface: string;
    /** A colour as #rrggbb. */
    text: string;
    /** A colour as #rrggbb. */
    primary: string;
    /** A colour as #rrggbb. */
    onPrimary: string;
    /** A colour as #rrggbb. */
    link: string;
    /** A colour as #rrggbb. */
    border: string;
  }>;
  radius: 'none' | 'small' | 'large';
  font: 'system' | 'serif' | 'mono';
  /** uri */
  supportUrl: string | null;
  /** email */
  supportEmail: string | null;
  /** date-time */
  publishedAt: string | null;
}

export interface Topic {
  key: string;
  name: string;
  description: string | null;
  channels: ('email' | 'sms')[];
  /** Shown on the preferences page. */
  public: boolean;
  /** date-time */
  archivedAt: string | null;
  /** date-time */
  createdAt: string;
  /** date-time */
  updatedAt: string;
}

export interface WebhookDelivery {
  /** uuid */
  deliveryId: string;
  /** uuid */
  endpointId: string;
  /** uuid */
  eventId: string;
  eventType: string;
  /** 1 to 7. (1 to 7) */
  attempt: number;
  status: 'queued' | 'delivering' | 'delivered' | 'failed' | 'dead';
  responseStatus: number | null;
  error: string | null;
  durationMs: number | null;
  /** date-time */
  scheduledAt: string;
  /** date-time */
  attemptedAt: string | null;
  /** date-time */
  nextAttemptAt: string | null;
  /** The delivery that this one repeats. (uuid) */
  replayOf: string | null;
}

export interface WebhookEndpoint {
  /** uuid */
  endpointId: string;
  /** uri */
  url: string;
  /** Exact names and `product.*`; empty for every event. */
  eventTypes: string[];
  description: string | null;
  status: 'enabled' | 'disabled';
  /** date-time */
  createdAt: string;
  /** date-time */
  updatedAt: string;
}

/** Codes that every operation can answer; the last two where a deployment lacks it. */
export type CommonCode = 'invalid_json' | 'invalid_input' | 'body_too_large' | 'unsupported_media_type' | 'request_timeout' | 'rate_limited' | 'not_found' | 'internal_error' | 'unavailable' | 'product_disabled' | 'unknown_operation';

/** What `account.activity.get` takes. */
export interface AccountActivityGetInput {
  /** The `activityId` that a call answered. (uuid) */
  activityId: string;
}

/** What `account.activity.get` answers. */
export interface AccountActivityGetResult {
  activity: Open<Activity>;
  /** Oldest first, 1000 at most. */
  events: Open<Event>[];
}

/** Codes that `account.activity.get` can answer. */
export type AccountActivityGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.activity.list` takes. */
export interface AccountActivityListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  /** Only this operation, such as `email.send`. (1 to 100 characters) */
  operation?: string;
  /** Only what this key, member or user did. (1 to 64 characters) */
  actorId?: string;
  /** Only what was done to the thing with this id. (1 to 255 characters) */
  subjectId?: string;
  /** At this time or later. (date-time) */
  since?: string;
  /** At this time or earlier. (date-time) */
  until?: string;
}

/** What `account.activity.list` answers. */
export interface AccountActivityListResult {
  activities: Open<Activity>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `account.activity.list` can answer. */
export type AccountActivityListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.close` takes. */
export interface AccountCloseInput {
  /** Stored with the account. (3 to 500 characters) */
  reason: string;
}

/** What `account.close` answers. */
export interface AccountCloseResult {
  account: Open<Account>;
}

/** Codes that `account.close` can answer. */
export type AccountCloseCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'account_closed' | 'owner_only' | 'live_only';

/** What `account.get` takes. */
export type AccountGetInput = Record<string, never>;

/** What `account.get` answers. */
export interface AccountGetResult {
  account: Open<Account>;
  projects: Open<Project>[];
  /** Active members. */
  memberCount: number;
}

/** Codes that `account.get` can answer. */
export type AccountGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.invite.describe` takes. */
export interface AccountInviteDescribeInput {
  /** The token of an invitation’s link. */
  token: string;
}

/** What `account.invite.describe` answers. */
export interface AccountInviteDescribeResult {
  /** The account to join. */
  accountName: string;
  /** Who is invited. */
  email: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer';
  /** Who sent the invitation. */
  invitedBy: string | null;
  /** When the link stops working. (date-time) */
  expiresAt: string;
}

/** Codes that `account.invite.describe` can answer. */
export type AccountInviteDescribeCode = CommonCode | 'invite_expired' | 'invite_revoked' | 'invite_accepted';

/** What `account.member.invite` takes. */
export interface AccountMemberInviteInput {
  /** The address to invite. (email) */
  email: string;
  /** default "developer" */
  role?: 'owner' | 'admin' | 'developer' | 'viewer';
}

/** What `account.member.invite` answers. */
export interface AccountMemberInviteResult {
  member: Open<Member>;
}

/** Codes that `account.member.invite` can answer. */
export type AccountMemberInviteCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'owner_only' | 'permission_exceeds_caller' | 'member_exists' | 'identity_unverified' | 'auth_send_limited' | 'account_closed' | 'provider_not_configured';

/** What `account.member.list` takes. */
export interface AccountMemberListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  status?: 'invited' | 'active' | 'removed';
}

/** What `account.member.list` answers. */
export interface AccountMemberListResult {
  members: Open<Member>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `account.member.list` can answer. */
export type AccountMemberListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.member.remove` takes. */
export interface AccountMemberRemoveInput {
  /** The member to remove, or the invitation to withdraw. (uuid) */
  memberId: string;
}

/** What `account.member.remove` answers. */
export interface AccountMemberRemoveResult {
  member: Open<Member>;
}

/** Codes that `account.member.remove` can answer. */
export type AccountMemberRemoveCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'owner_only' | 'last_owner' | 'last_key';

/** What `account.member.role.set` takes. */
export interface AccountMemberRoleSetInput {
  /** An active or invited member. (uuid) */
  memberId: string;
  role: 'owner' | 'admin' | 'developer' | 'viewer';
}

/** What `account.member.role.set` answers. */
export interface AccountMemberRoleSetResult {
  member: Open<Member>;
}

/** Codes that `account.member.role.set` can answer. */
export type AccountMemberRoleSetCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'owner_only' | 'permission_exceeds_caller' | 'last_owner' | 'last_key';

/** What `account.project.create` takes. */
export interface AccountProjectCreateInput {
  /** Its name, unique in the account. (1 to 120 characters) */
  name: string;
}

/** What `account.project.create` answers. */
export interface AccountProjectCreateResult {
  project: Open<Project>;
  environments: Open<Environment>[];
  keys: Open<{
    live: Open<{
      /** Holds the caller’s permissions. */
      secret: string;
      publishable: string;
    }> | null;
    /** Shown once. */
    test: Open<{
      /** Holds the caller’s permissions. */
      secret: string;
      publishable: string;
    }>;
  }>;
}

/** Codes that `account.project.create` can answer. */
export type AccountProjectCreateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'name_taken' | 'limit_reached' | 'permission_exceeds_caller' | 'account_closed';

/** What `account.project.list` takes. */
export interface AccountProjectListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
}

/** What `account.project.list` answers. */
export interface AccountProjectListResult {
  projects: Open<ProjectWithEnvironments>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `account.project.list` can answer. */
export type AccountProjectListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.project.update` takes. */
export interface AccountProjectUpdateInput {
  /** The project to change. (uuid) */
  projectId: string;
  /** Its new name, unique in the account. (1 to 120 characters) */
  name?: string;
  /** BCP 47 tag, such as de or pt-BR. (2 to 35 characters) */
  locale?: string;
  /** IANA name, such as Europe/Berlin. (at most 64 characters) */
  timeZone?: string;
}

/** What `account.project.update` answers. */
export interface AccountProjectUpdateResult {
  project: Open<Project>;
}

/** Codes that `account.project.update` can answer. */
export type AccountProjectUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'name_taken';

/** What `account.reopen` takes. */
export type AccountReopenInput = Record<string, never>;

/** What `account.reopen` answers. */
export interface AccountReopenResult {
  account: Open<Account>;
}

/** Codes that `account.reopen` can answer. */
export type AccountReopenCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'owner_only' | 'live_only';

/** What `account.signup` takes. */
export interface AccountSignupInput {
  /** The account’s name. (1 to 120 characters) */
  name: string;
  /** The owner’s address. (email) */
  email: string;
  /** The first project’s name; the account’s name by default. (1 to 120 characters) */
  projectName?: string;
  /** ISO 3166-1 alpha-2 code, such as DE. */
  country?: string | null;
  /** Where you heard of svc. */
  heardFrom?: 'search' | 'ai_assistant' | 'social' | 'referral' | 'content' | 'community' | 'event' | 'other';
  /** at most 500 characters */
  heardFromDetail?: string;
}

/** What `account.signup` answers. */
export interface AccountSignupResult {
  account: Open<Account>;
  project: Open<Project>;
  environments: Open<Environment>[];
  /** Keys of the test environment, shown once. */
  keys: Open<{
    secret: string;
    publishable: string;
  }>;
}

/** Codes that `account.signup` can answer. */
export type AccountSignupCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'email_taken' | 'signup_disabled';

/** What `account.theme.draft.save` takes. */
export interface AccountThemeDraftSaveInput {
  theme: {
    /** Shown at the top of pages and mails. (1 to 120 characters) */
    brandName: string;
    /** An https address. (uri) */
    logoUrl?: string | null;
    colors: {
      /** A colour as #rrggbb. */
      background: string;
      /** A colour as #rrggbb. */
      surface: string;
      /** A colour as #rrggbb. */
      text: string;
      /** A colour as #rrggbb. */
      primary: string;
      /** A colour as #rrggbb. */
      onPrimary: string;
      /** A colour as #rrggbb. */
      link: string;
      /** A colour as #rrggbb. */
      border: string;
    };
    radius: 'none' | 'small' | 'large';
    font: 'system' | 'serif' | 'mono';
    /** Where people find help. (uri) */
    supportUrl?: string | null;
    /** email */
    supportEmail?: string | null;
  };
}

/** What `account.theme.draft.save` answers. */
export interface AccountThemeDraftSaveResult {
  draft: Open<Theme>;
  contrast: Open<{
    /** Text colour and background, such as `text/background`. */
    pair: string;
    /** Rounded to two decimals. */
    ratio: number;
    /** Whether the ratio, before rounding, is at least 4.5:1 (WCAG AA). */
    passes: boolean;
  }>[];
}

/** Codes that `account.theme.draft.save` can answer. */
export type AccountThemeDraftSaveCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.theme.get` takes. */
export type AccountThemeGetInput = Record<string, never>;

/** What `account.theme.get` answers. */
export interface AccountThemeGetResult {
  published: Open<Theme>;
  draft: Open<Theme> | null;
  contrast: (Open<{
    /** The theme that the pair belongs to. */
    theme: 'published' | 'draft';
    /** Text colour and background, such as `text/background`. */
    pair: string;
    /** Rounded to two decimals. */
    ratio: number;
    /** Whether the ratio, before rounding, is at least 4.5:1 (WCAG AA). */
    passes: boolean;
  }>)[];
}

/** Codes that `account.theme.get` can answer. */
export type AccountThemeGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.theme.publish` takes. */
export type AccountThemePublishInput = Record<string, never>;

/** What `account.theme.publish` answers. */
export interface AccountThemePublishResult {
  published: Open<Theme>;
}

/** Codes that `account.theme.publish` can answer. */
export type AccountThemePublishCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'contrast_too_low' | 'draft_missing';

/** What `account.theme.reset` takes. */
export type AccountThemeResetInput = Record<string, never>;

/** What `account.theme.reset` answers. */
export interface AccountThemeResetResult {
  published: Open<Theme>;
}

/** Codes that `account.theme.reset` can answer. */
export type AccountThemeResetCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `account.update` takes. */
export interface AccountUpdateInput {
  /** The account’s new name. (1 to 120 characters) */
  name?: string;
  /** ISO 3166-1 alpha-2 code, such as DE. */
  country?: string | null;
  /** Where you heard of svc. */
  heardFrom?: 'search' | 'ai_assistant' | 'social' | 'referral' | 'content' | 'community' | 'event' | 'other' | null;
  /** at most 500 characters */
  heardFromDetail?: string | null;
}

/** What `account.update` answers. */
export interface AccountUpdateResult {
  account: Open<Account>;
}

/** Codes that `account.update` can answer. */
export type AccountUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.consent.grant` takes. */
export type AudienceConsentGrantInput = ExactlyOne<{
  /** The contact. (uuid) */
  contactId?: string;
  /** The contact’s address. (email) */
  email?: string;
  /** The contact’s number, E.164. (phone) */
  phone?: string;
  /** The key of a topic, such as news. (1 to 64 characters) */
  topic: string;
  /** The channel: email, or sms for text messages. */
  channel: 'email' | 'sms';
  /** Where it was given: a form, a checkout. (1 to 200 characters) */
  source: string;
  /** The words that the person agreed to. (at most 2000 characters) */
  wording?: string;
  /** When it was given. Default: now. (date-time) */
  givenAt?: string;
  /** The address it was given from. (at most 45 characters) */
  ip?: string;
}, 'contactId' | 'email' | 'phone'>;

/** What `audience.consent.grant` answers. */
export interface AudienceConsentGrantResult {
  consent: Open<ConsentRecord>;
}

/** Codes that `audience.consent.grant` can answer. */
export type AudienceConsentGrantCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'topic_archived' | 'suppression_standing';

/** What `audience.consent.list` takes. */
export interface AudienceConsentListInput {
  /** Only records of this contact. (uuid) */
  contactId?: string;
  /** The key of a topic, such as news. (1 to 64 characters) */
  topic?: string;
  /** The channel: email, or sms for text messages. */
  channel?: 'email' | 'sms';
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
}

/** What `audience.consent.list` answers. */
export interface AudienceConsentListResult {
  consents: Open<ConsentRecord>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `audience.consent.list` can answer. */
export type AudienceConsentListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.consent.revoke` takes. */
export type AudienceConsentRevokeInput = ExactlyOne<{
  /** The contact. (uuid) */
  contactId?: string;
  /** The contact’s address. (email) */
  email?: string;
  /** The contact’s number, E.164. (phone) */
  phone?: string;
  /** Absent: every topic of the channel. (1 to 64 characters) */
  topic?: string;
  /** The channel: email, or sms for text messages. */
  channel: 'email' | 'sms';
  /** Where the person opted out. (1 to 200 characters) */
  source: string;
}, 'contactId' | 'email' | 'phone'>;

/** What `audience.consent.revoke` answers. */
export interface AudienceConsentRevokeResult {
  consents: Open<ConsentRecord>[];
}

/** Codes that `audience.consent.revoke` can answer. */
export type AudienceConsentRevokeCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.contact.delete` takes. */
export interface AudienceContactDeleteInput {
  /** The contact to erase. (uuid) */
  contactId: string;
}

/** What `audience.contact.delete` answers. */
export interface AudienceContactDeleteResult {
  /** uuid */
  contactId: string;
  /** False if it had been deleted before. */
  deleted: boolean;
}

/** Codes that `audience.contact.delete` can answer. */
export type AudienceContactDeleteCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.contact.get` takes. */
export type AudienceContactGetInput = ExactlyOne<{
  /** The contact. (uuid) */
  contactId?: string;
  /** The contact’s address. (email) */
  email?: string;
  /** The contact’s number, E.164. (phone) */
  phone?: string;
  /** The contact’s id in your own product. (1 to 200 characters) */
  externalId?: string;
}, 'contactId' | 'email' | 'phone' | 'externalId'>;

/** What `audience.contact.get` answers. */
export interface AudienceContactGetResult {
  contact: Open<Contact>;
  consents: Open<Consent>[];
  suppressions: Open<Suppression>[];
}

/** Codes that `audience.contact.get` can answer. */
export type AudienceContactGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.contact.import` takes. */
export type AudienceContactImportInput = ExactlyOne<{
  /** The rows: at most 50000, each as audience.contact.upsert takes it. */
  contacts?: (Record<string, unknown> | ContactInput)[];
  /** The rows as CSV, with a header line. */
  csv?: string;
  /** With csv: {<column>: field}, the field being externalId, email, phone, firstName, lastName, locale, timeZone or properties.<key>. Other columns are ignored. */
  columns?: Record<string, string>;
  /** Consents to grant for rows without consents of their own; a row with an empty list grants none. (at most 100 items) */
  consents?: ({
    /** The key of a topic, such as news. (1 to 64 characters) */
    topic: string;
    /** The channel: email, or sms for text messages. */
    channel: 'email' | 'sms';
    /** Where it was given. (1 to 200 characters) */
    source: string;
    /** The words that the person agreed to. (at most 2000 characters) */
    wording?: string;
    /** When it was given. Without it, the consent counts only for people who have never opted out. (date-time) */
    givenAt?: string;
  })[];
  /** What to do with a row whose contact exists already: update the contact, or skip the row with its consents. (default "update") */
  onConflict?: 'update' | 'skip';
  /** Check and count the rows without writing contacts. (default false) */
  dryRun?: boolean;
}, 'contacts' | 'csv'>;

/** What `audience.contact.import` answers. */
export interface AudienceContactImportResult {
  import: Open<Import>;
}

/** Codes that `audience.contact.import` can answer. */
export type AudienceContactImportCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'batch_too_large' | 'topic_archived';

/** What `audience.contact.list` takes. */
export interface AudienceContactListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  /** Only current members of this segment. (uuid) */
  segmentId?: string;
  /** Only contacts with granted consent to this topic, on `channel` or on any channel. (1 to 64 characters) */
  topic?: string;
  /** Only contacts with granted consent on this channel, to `topic` or to any topic. */
  channel?: 'email' | 'sms';
  /** The start of an email address, number, external id, first or last name. (1 to 254 characters) */
  query?: string;
}

/** What `audience.contact.list` answers. */
export interface AudienceContactListResult {
  contacts: Open<Contact>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `audience.contact.list` can answer. */
export type AudienceContactListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.contact.update` takes. */
export interface AudienceContactUpdateInput {
  /** The contact to change. (uuid) */
  contactId: string;
  /** The contact’s id in your own product. (1 to 200 characters) */
  externalId?: string | null;
  /** email */
  email?: string | null;
  /** E.164. (phone) */
  phone?: string | null;
  /** at most 200 characters */
  firstName?: string | null;
  /** at most 200 characters */
  lastName?: string | null;
  /** BCP 47 tag, such as de or pt-BR. (2 to 35 characters) */
  locale?: string | null;
  /** IANA name, such as Europe/Berlin. (1 to 64 characters) */
  timeZone?: string | null;
  /** Merged key by key; null removes a key. */
  properties?: Record<string, string | number | boolean | null>;
}

/** What `audience.contact.update` answers. */
export interface AudienceContactUpdateResult {
  contact: Open<Contact>;
}

/** Codes that `audience.contact.update` can answer. */
export type AudienceContactUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'contact_conflict';

/** What `audience.contact.upsert` takes. */
export interface AudienceContactUpsertInput {
  /** The contact’s id in your own product. (1 to 200 characters) */
  externalId?: string;
  /** email */
  email?: string;
  /** E.164. (phone) */
  phone?: string;
  /** at most 200 characters */
  firstName?: string | null;
  /** at most 200 characters */
  lastName?: string | null;
  /** BCP 47 tag, such as de or pt-BR. (2 to 35 characters) */
  locale?: string | null;
  /** IANA name, such as Europe/Berlin. (1 to 64 characters) */
  timeZone?: string | null;
  /** Merged key by key; null removes a key. */
  properties?: Record<string, string | number | boolean | null>;
  /** Consents to grant. (at most 100 items) */
  consents?: ({
    /** The key of a topic, such as news. (1 to 64 characters) */
    topic: string;
    /** The channel: email, or sms for text messages. */
    channel: 'email' | 'sms';
    /** Where it was given. (1 to 200 characters) */
    source: string;
    /** The words that the person agreed to. (at most 2000 characters) */
    wording?: string;
    /** When it was given. Without it, the consent counts only for people who have never opted out. (date-time) */
    givenAt?: string;
  })[];
}

/** What `audience.contact.upsert` answers. */
export interface AudienceContactUpsertResult {
  contact: Open<Contact>;
  created: boolean;
}

/** Codes that `audience.contact.upsert` can answer. */
export type AudienceContactUpsertCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'contact_conflict' | 'topic_archived';

/** What `audience.event.record` takes. */
export type AudienceEventRecordInput = ExactlyOne<{
  /** The contact. (uuid) */
  contactId?: string;
  /** The contact’s address. (email) */
  email?: string;
  /** The contact’s number, E.164. (phone) */
  phone?: string;
  /** The contact’s id in your own product. (1 to 200 characters) */
  externalId?: string;
  /** What happened, such as order.placed. */
  name: string;
  /** Details of the event: any JSON, at most 32 KiB. */
  properties?: Record<string, unknown>;
  /** When it happened. Default: now. (date-time) */
  occurredAt?: string;
  /** Your own id of the event: with the same name and eventId, it is recorded once. (1 to 200 characters) */
  eventId?: string;
}, 'contactId' | 'email' | 'phone' | 'externalId'>;

/** What `audience.event.record` answers. */
export interface AudienceEventRecordResult {
  /** False where this eventId had been recorded before for this event name. */
  recorded: boolean;
  /** Automations that enrolled the contact. */
  enrolled: string[];
}

/** Codes that `audience.event.record` can answer. */
export type AudienceEventRecordCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.import.get` takes. */
export interface AudienceImportGetInput {
  /** The id from the reply of audience.contact.import. (uuid) */
  importId: string;
  /** The `nextBefore` of the previous page. (at most 64 characters) */
  before?: string;
}

/** What `audience.import.get` answers. */
export interface AudienceImportGetResult {
  import: Open<Import>;
  rejected: Open<{
    /** Counted from 1, without the header line and blank lines of a CSV. (at least 1) */
    row: number;
    code: string;
    message: string;
  }>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `audience.import.get` can answer. */
export type AudienceImportGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.preferences.get` takes. */
export interface AudiencePreferencesGetInput {
  /** The token of a preferences link. */
  token: string;
}

/** What `audience.preferences.get` answers. */
export interface AudiencePreferencesGetResult {
  preferences: Open<Preferences>;
}

/** Codes that `audience.preferences.get` can answer. */
export type AudiencePreferencesGetCode = CommonCode | 'link_expired';

/** What `audience.preferences.link` takes. */
export type AudiencePreferencesLinkInput = ExactlyOne<{
  /** The contact. (uuid) */
  contactId?: string;
  /** The contact’s address. (email) */
  email?: string;
  /** The contact’s number, E.164. (phone) */
  phone?: string;
  /** When the link stops working. (date-time) */
  expiresAt?: string;
}, 'contactId' | 'email' | 'phone'>;

/** What `audience.preferences.link` answers. */
export interface AudiencePreferencesLinkResult {
  /** The hosted page. (uri) */
  url: string;
  /** For audience.preferences.get and audience.preferences.set. */
  token: string;
  /** date-time */
  expiresAt: string | null;
}

/** Codes that `audience.preferences.link` can answer. */
export type AudiencePreferencesLinkCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.preferences.set` takes. */
export interface AudiencePreferencesSetInput {
  /** The token of a preferences link. */
  token: string;
  email?: {
    /** Topics by their keys: true subscribes, false unsubscribes. */
    topics?: Record<string, boolean>;
    /** true unsubscribes from every topic of the channel, now and later; messages without a topic, such as receipts, are still sent. false takes that back, without subscribing to anything. */
    unsubscribeAll?: boolean;
  };
  sms?: {
    /** Topics by their keys: true subscribes, false unsubscribes. */
    topics?: Record<string, boolean>;
    /** true unsubscribes from every topic of the channel, now and later; messages without a topic, such as receipts, are still sent. false takes that back, without subscribing to anything. */
    unsubscribeAll?: boolean;
  };
}

/** What `audience.preferences.set` answers. */
export interface AudiencePreferencesSetResult {
  /** The audit record of the change. (uuid) */
  activityId: string;
  /** uuid */
  environmentId: string;
  projectName: string;
  /** email */
  email: string | null;
  /** phone */
  phone: string | null;
  channels: Open<{
    email: Open<{
      topics: (Open<{
        key: string;
        name: string;
        description: string | null;
        subscribed: boolean;
      }>)[];
      /** The person unsubscribed from everything, complained or sent STOP on this channel. */
      unsubscribedAll: boolean;
      /** What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic. */
      suppressionReason: 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual' | null;
    }>;
    sms: Open<{
      topics: (Open<{
        key: string;
        name: string;
        description: string | null;
        subscribed: boolean;
      }>)[];
      /** The person unsubscribed from everything, complained or sent STOP on this channel. */
      unsubscribedAll: boolean;
      /** What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic. */
      suppressionReason: 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual' | null;
    }>;
  }>;
}

/** Codes that `audience.preferences.set` can answer. */
export type AudiencePreferencesSetCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'link_expired';

/** What `audience.segment.create` takes. */
export interface AudienceSegmentCreateInput {
  /** The name, unique in the environment. (1 to 120 characters) */
  name: string;
  /** A tree of {all: […]}, {any: […]}, {not: …} and {field, op, value}. */
  definition: SegmentDefinitionInput;
}

/** What `audience.segment.create` answers. */
export interface AudienceSegmentCreateResult {
  segment: Open<Segment>;
  /** How many contacts it matches now. */
  estimate: number;
}

/** Codes that `audience.segment.create` can answer. */
export type AudienceSegmentCreateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'invalid_definition' | 'name_taken' | 'limit_reached';

/** What `audience.segment.delete` takes. */
export interface AudienceSegmentDeleteInput {
  /** The segment to delete. (uuid) */
  segmentId: string;
}

/** What `audience.segment.delete` answers. */
export interface AudienceSegmentDeleteResult {
  segment: Open<Segment>;
}

/** Codes that `audience.segment.delete` can answer. */
export type AudienceSegmentDeleteCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'segment_in_use';

/** What `audience.segment.get` takes. */
export interface AudienceSegmentGetInput {
  /** The segment. (uuid) */
  segmentId: string;
}

/** What `audience.segment.get` answers. */
export interface AudienceSegmentGetResult {
  segment: Open<Segment>;
  /** How many contacts it matches now. */
  size: number;
}

/** Codes that `audience.segment.get` can answer. */
export type AudienceSegmentGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.segment.list` takes. */
export interface AudienceSegmentListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
}

/** What `audience.segment.list` answers. */
export interface AudienceSegmentListResult {
  segments: Open<Segment>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `audience.segment.list` can answer. */
export type AudienceSegmentListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.segment.preview` takes. */
export interface AudienceSegmentPreviewInput {
  /** A tree of {all: […]}, {any: […]}, {not: …} and {field, op, value}. */
  definition: SegmentDefinitionInput;
  /** How many contacts to show. (0 to 50; default 10) */
  sample?: number;
}

/** What `audience.segment.preview` answers. */
export interface AudienceSegmentPreviewResult {
  /** How many contacts it matches now. */
  size: number;
  /** Newest first. */
  sample: Open<Contact>[];
}

/** Codes that `audience.segment.preview` can answer. */
export type AudienceSegmentPreviewCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'invalid_definition';

/** What `audience.segment.update` takes. */
export interface AudienceSegmentUpdateInput {
  /** The segment to change. (uuid) */
  segmentId: string;
  /** The name, unique in the environment. (1 to 120 characters) */
  name?: string;
  /** A tree of {all: […]}, {any: […]}, {not: …} and {field, op, value}. */
  definition?: SegmentDefinitionInput;
}

/** What `audience.segment.update` answers. */
export interface AudienceSegmentUpdateResult {
  segment: Open<Segment>;
  /** How many contacts it matches now. */
  estimate: number;
}

/** Codes that `audience.segment.update` can answer. */
export type AudienceSegmentUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'invalid_definition' | 'name_taken';

/** What `audience.suppression.add` takes. */
export type AudienceSuppressionAddInput = ExactlyOne<{
  /** The address. (email) */
  email?: string;
  /** The number, E.164. (phone) */
  phone?: string;
  /** Why, for your own team. (at most 500 characters) */
  note?: string;
}, 'email' | 'phone'>;

/** What `audience.suppression.add` answers. */
export interface AudienceSuppressionAddResult {
  suppression: Open<Suppression>;
}

/** Codes that `audience.suppression.add` can answer. */
export type AudienceSuppressionAddCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.suppression.lift` takes. */
export interface AudienceSuppressionLiftInput {
  /** The suppression to lift. (uuid) */
  suppressionId: string;
  /** Why; kept in the audit log when a contact has the address. (1 to 500 characters) */
  note?: string;
}

/** What `audience.suppression.lift` answers. */
export interface AudienceSuppressionLiftResult {
  suppression: Open<Suppression>;
}

/** Codes that `audience.suppression.lift` can answer. */
export type AudienceSuppressionLiftCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'suppression_not_liftable';

/** What `audience.suppression.list` takes. */
export interface AudienceSuppressionListInput {
  /** The channel: email, or sms for text messages. */
  channel?: 'email' | 'sms';
  /** What it blocks: bounce and stop every message; complaint and manual all but system messages; unsubscribe messages under a topic. */
  reason?: 'bounce' | 'complaint' | 'unsubscribe' | 'stop' | 'manual';
  /** Only suppressions of this address. (email) */
  email?: string;
  /** Only suppressions of this number, E.164. (phone) */
  phone?: string;
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
}

/** What `audience.suppression.list` answers. */
export interface AudienceSuppressionListResult {
  suppressions: Open<Suppression>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `audience.suppression.list` can answer. */
export type AudienceSuppressionListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.topic.archive` takes. */
export interface AudienceTopicArchiveInput {
  /** The key of the topic to archive. (1 to 64 characters) */
  topic: string;
}

/** What `audience.topic.archive` answers. */
export interface AudienceTopicArchiveResult {
  topic: Open<Topic>;
}

/** Codes that `audience.topic.archive` can answer. */
export type AudienceTopicArchiveCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'topic_in_use';

/** What `audience.topic.create` takes. */
export interface AudienceTopicCreateInput {
  /** The topic’s permanent key, such as news, which sends and consents refer to. */
  key: string;
  /** The name that people read on the preferences page. (1 to 120 characters) */
  name: string;
  /** What subscribers get, shown on the preferences page. (at most 500 characters) */
  description?: string | null;
  /** The channels on which people can subscribe to it. (at least 1 items; default ["email","sms"]) */
  channels?: ('email' | 'sms')[];
  /** Shown on the preferences page. (default true) */
  public?: boolean;
}

/** What `audience.topic.create` answers. */
export interface AudienceTopicCreateResult {
  topic: Open<Topic>;
}

/** Codes that `audience.topic.create` can answer. */
export type AudienceTopicCreateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'topic_key_taken' | 'limit_reached';

/** What `audience.topic.get` takes. */
export interface AudienceTopicGetInput {
  /** The key of a topic, such as news. (1 to 64 characters) */
  topic: string;
}

/** What `audience.topic.get` answers. */
export interface AudienceTopicGetResult {
  topic: Open<Topic>;
  /** Contacts whose current consent is granted. */
  granted: Open<{
    email: number;
    sms: number;
  }>;
}

/** Codes that `audience.topic.get` can answer. */
export type AudienceTopicGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.topic.list` takes. */
export interface AudienceTopicListInput {
  /** List archived topics instead of active ones. (default false) */
  archived?: boolean;
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
}

/** What `audience.topic.list` answers. */
export interface AudienceTopicListResult {
  topics: Open<Topic>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `audience.topic.list` can answer. */
export type AudienceTopicListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.topic.restore` takes. */
export interface AudienceTopicRestoreInput {
  /** The key of the topic to restore. (1 to 64 characters) */
  topic: string;
}

/** What `audience.topic.restore` answers. */
export interface AudienceTopicRestoreResult {
  topic: Open<Topic>;
}

/** Codes that `audience.topic.restore` can answer. */
export type AudienceTopicRestoreCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `audience.topic.update` takes. */
export interface AudienceTopicUpdateInput {
  /** The key of the topic to change. (1 to 64 characters) */
  topic: string;
  /** The name that people read on the preferences page. (1 to 120 characters) */
  name?: string;
  /** What subscribers get, shown on the preferences page. (at most 500 characters) */
  description?: string | null;
  /** The channels on which people can subscribe to it. (at least 1 items) */
  channels?: ('email' | 'sms')[];
  /** Shown on the preferences page. */
  public?: boolean;
}

/** What `audience.topic.update` answers. */
export interface AudienceTopicUpdateResult {
  topic: Open<Topic>;
}

/** Codes that `audience.topic.update` can answer. */
export type AudienceTopicUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.event.get` takes. */
export interface DevelopersEventGetInput {
  /** The event to show. (uuid) */
  eventId: string;
}

/** What `developers.event.get` answers. */
export interface DevelopersEventGetResult {
  event: Open<Event>;
  /** Every attempt, oldest first. */
  deliveries: Open<WebhookDelivery>[];
}

/** Codes that `developers.event.get` can answer. */
export type DevelopersEventGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.event.list` takes. */
export interface DevelopersEventListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  /** Exact names and `product.*`; empty for every event. (at most 200 items) */
  types?: string[];
  /** What the event is about. (at most 255 characters) */
  subjectId?: string;
  /** Written at this time or later. (date-time) */
  since?: string;
  /** Written before this time. (date-time) */
  until?: string;
}

/** What `developers.event.list` answers. */
export interface DevelopersEventListResult {
  events: Open<Event>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `developers.event.list` can answer. */
export type DevelopersEventListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.key.create` takes. */
export interface DevelopersKeyCreateInput {
  /** What the key is for. (1 to 120 characters) */
  name: string;
  /** Publishable keys are for browsers and apps, and can only call sign-in operations. (default "secret") */
  kind?: 'secret' | 'publishable';
  /** Required for a secret key: what the key may do. You cannot grant permissions that you do not hold. */
  permissions?: string[];
  /** For publishable keys: the browser origins that may use the key. Any origin by default. (1 to 50 items) */
  allowedOrigins?: string[];
}

/** What `developers.key.create` answers. */
export interface DevelopersKeyCreateResult {
  key: Open<Key>;
  /** The key. It is never shown again. */
  plaintext: string;
}

/** Codes that `developers.key.create` can answer. */
export type DevelopersKeyCreateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'permission_exceeds_caller' | 'limit_reached';

/** What `developers.key.current` takes. */
export type DevelopersKeyCurrentInput = Record<string, never>;

/** What `developers.key.current` answers. */
export interface DevelopersKeyCurrentResult {
  key: Open<Key> | null;
  member: Open<Member> | null;
  account: Open<{
    /** uuid */
    id: string;
    name: string;
  }>;
  project: Open<{
    /** uuid */
    id: string;
    name: string;
  }>;
  environment: Open<Environment>;
  /** What the caller may do: the key’s permissions, limited by its role. */
  permissions: string[];
  rateLimit: Open<{
    limit: number;
    /** Requests left in this minute. */
    remaining: number;
    /** When all of them are available again. (date-time) */
    resetsAt: string;
  }>;
}

/** Codes that `developers.key.current` can answer. */
export type DevelopersKeyCurrentCode = CommonCode | 'unauthenticated' | 'forbidden' | 'secret_key_required' | 'environment_required';

/** What `developers.key.list` takes. */
export interface DevelopersKeyListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  /** Include revoked keys. (default false) */
  revoked?: boolean;
}

/** What `developers.key.list` answers. */
export interface DevelopersKeyListResult {
  keys: Open<Key>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `developers.key.list` can answer. */
export type DevelopersKeyListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.key.revoke` takes. */
export interface DevelopersKeyRevokeInput {
  /** The key to revoke. (uuid) */
  keyId: string;
}

/** What `developers.key.revoke` answers. */
export interface DevelopersKeyRevokeResult {
  key: Open<Key>;
}

/** Codes that `developers.key.revoke` can answer. */
export type DevelopersKeyRevokeCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'last_key';

/** What `developers.key.rotate` takes. */
export interface DevelopersKeyRotateInput {
  /** The key to replace. (uuid) */
  keyId: string;
}

/** What `developers.key.rotate` answers. */
export interface DevelopersKeyRotateResult {
  key: Open<Key>;
  /** The new key. It is never shown again. */
  plaintext: string;
  /** The key that was revoked. (uuid) */
  revokedKeyId: string;
}

/** Codes that `developers.key.rotate` can answer. */
export type DevelopersKeyRotateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'key_revoked' | 'permission_exceeds_caller';

/** What `developers.key.update` takes. */
export interface DevelopersKeyUpdateInput {
  /** The key to change. (uuid) */
  keyId: string;
  /** Its new name. (1 to 120 characters) */
  name?: string;
  /** Secret keys: everything the key may do from now on. (at least 1 items) */
  permissions?: string[];
  /** For publishable keys: the browser origins that may use the key. Any origin by default. (1 to 50 items) */
  allowedOrigins?: string[] | null;
}

/** What `developers.key.update` answers. */
export interface DevelopersKeyUpdateResult {
  key: Open<Key>;
}

/** Codes that `developers.key.update` can answer. */
export type DevelopersKeyUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'permission_exceeds_caller' | 'key_revoked' | 'last_key';

/** What `developers.webhook.create` takes. */
export interface DevelopersWebhookCreateInput {
  /** Where events are sent. https; in test environments http too. (uri) */
  url: string;
  /** Exact names and `product.*`; empty for every event. (at most 200 items; default []) */
  eventTypes?: string[];
  /** Yours, for people. (at most 500 characters) */
  description?: string;
}

/** What `developers.webhook.create` answers. */
export interface DevelopersWebhookCreateResult {
  endpoint: Open<WebhookEndpoint>;
  /** The signing secret; the HMAC key is this whole text. It is never shown again. */
  secret: string;
}

/** Codes that `developers.webhook.create` can answer. */
export type DevelopersWebhookCreateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'unknown_event_type' | 'url_not_allowed' | 'limit_reached';

/** What `developers.webhook.deliveries.list` takes. */
export interface DevelopersWebhookDeliveriesListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  /** Of this endpoint. (uuid) */
  endpointId?: string;
  /** Of this event. (uuid) */
  eventId?: string;
  status?: 'queued' | 'delivering' | 'delivered' | 'failed' | 'dead';
}

/** What `developers.webhook.deliveries.list` answers. */
export interface DevelopersWebhookDeliveriesListResult {
  deliveries: Open<WebhookDelivery>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `developers.webhook.deliveries.list` can answer. */
export type DevelopersWebhookDeliveriesListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.deliveries.replay` takes. */
export interface DevelopersWebhookDeliveriesReplayInput {
  /** The endpoint. (uuid) */
  endpointId: string;
  /** Those that were first due at this time or later. (date-time) */
  since?: string;
  /** Exact names and `product.*`; empty for every event. (at most 200 items) */
  eventTypes?: string[];
}

/** What `developers.webhook.deliveries.replay` answers. */
export interface DevelopersWebhookDeliveriesReplayResult {
  /** How many were queued. */
  replayed: number;
}

/** Codes that `developers.webhook.deliveries.replay` can answer. */
export type DevelopersWebhookDeliveriesReplayCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'endpoint_disabled' | 'unknown_event_type';

/** What `developers.webhook.delivery.get` takes. */
export interface DevelopersWebhookDeliveryGetInput {
  /** The attempt to show. (uuid) */
  deliveryId: string;
}

/** What `developers.webhook.delivery.get` answers. */
export interface DevelopersWebhookDeliveryGetResult {
  delivery: Open<WebhookDelivery>;
  request: Open<{
    headers: Record<string, string>;
    body: string;
  }>;
  response: Open<{
    status: number;
    headers: Record<string, string>;
    /** Its first 4 KiB. */
    body: string;
  }> | null;
  /** All attempts of this delivery, oldest first. */
  attempts: Open<WebhookDelivery>[];
}

/** Codes that `developers.webhook.delivery.get` can answer. */
export type DevelopersWebhookDeliveryGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.delivery.replay` takes. */
export interface DevelopersWebhookDeliveryReplayInput {
  /** The delivery to send again. (uuid) */
  deliveryId: string;
}

/** What `developers.webhook.delivery.replay` answers. */
export interface DevelopersWebhookDeliveryReplayResult {
  delivery: Open<WebhookDelivery>;
}

/** Codes that `developers.webhook.delivery.replay` can answer. */
export type DevelopersWebhookDeliveryReplayCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'delivery_not_replayable' | 'endpoint_disabled';

/** What `developers.webhook.disable` takes. */
export interface DevelopersWebhookDisableInput {
  /** The endpoint. (uuid) */
  endpointId: string;
}

/** What `developers.webhook.disable` answers. */
export interface DevelopersWebhookDisableResult {
  endpoint: Open<WebhookEndpoint>;
}

/** Codes that `developers.webhook.disable` can answer. */
export type DevelopersWebhookDisableCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.enable` takes. */
export interface DevelopersWebhookEnableInput {
  /** The endpoint. (uuid) */
  endpointId: string;
}

/** What `developers.webhook.enable` answers. */
export interface DevelopersWebhookEnableResult {
  endpoint: Open<WebhookEndpoint>;
}

/** Codes that `developers.webhook.enable` can answer. */
export type DevelopersWebhookEnableCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.get` takes. */
export interface DevelopersWebhookGetInput {
  /** The endpoint to show. (uuid) */
  endpointId: string;
}

/** What `developers.webhook.get` answers. */
export interface DevelopersWebhookGetResult {
  endpoint: Open<WebhookEndpoint>;
  health: Open<{
    delivered: number;
    /** Attempts that failed and were followed by another. */
    failed: number;
    /** Deliveries whose last attempt failed. */
    dead: number;
    queued: number;
    /** date-time */
    lastDeliveredAt: string | null;
    /** date-time */
    lastFailedAt: string | null;
    /** Of the last 100 deliveries that went through. */
    medianDurationMs: number | null;
  }>;
}

/** Codes that `developers.webhook.get` can answer. */
export type DevelopersWebhookGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.list` takes. */
export interface DevelopersWebhookListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
}

/** What `developers.webhook.list` answers. */
export interface DevelopersWebhookListResult {
  endpoints: Open<WebhookEndpoint>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `developers.webhook.list` can answer. */
export type DevelopersWebhookListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.secret.rotate` takes. */
export interface DevelopersWebhookSecretRotateInput {
  /** The endpoint. (uuid) */
  endpointId: string;
}

/** What `developers.webhook.secret.rotate` answers. */
export interface DevelopersWebhookSecretRotateResult {
  endpoint: Open<WebhookEndpoint>;
  /** The new signing secret. It is never shown again. */
  secret: string;
}

/** Codes that `developers.webhook.secret.rotate` can answer. */
export type DevelopersWebhookSecretRotateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `developers.webhook.test` takes. */
export interface DevelopersWebhookTestInput {
  /** The endpoint to test. (uuid) */
  endpointId: string;
  /** An event whose payload to show as a sample. (at most 100 characters) */
  eventType?: string;
}

/** What `developers.webhook.test` answers. */
export interface DevelopersWebhookTestResult {
  delivery: Open<WebhookDelivery>;
}

/** Codes that `developers.webhook.test` can answer. */
export type DevelopersWebhookTestCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'endpoint_disabled' | 'unknown_event_type';

/** What `developers.webhook.update` takes. */
export interface DevelopersWebhookUpdateInput {
  /** The endpoint to change. (uuid) */
  endpointId: string;
  /** Where events are sent. https; in test environments http too. (uri) */
  url?: string;
  /** Exact names and `product.*`; empty for every event. (at most 200 items) */
  eventTypes?: string[];
  /** Yours, for people. (at most 500 characters) */
  description?: string | null;
}

/** What `developers.webhook.update` answers. */
export interface DevelopersWebhookUpdateResult {
  endpoint: Open<WebhookEndpoint>;
}

/** Codes that `developers.webhook.update` can answer. */
export type DevelopersWebhookUpdateCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'unknown_event_type' | 'url_not_allowed';

/** What `email.message.cancel` takes. */
export interface EmailMessageCancelInput {
  /** The message to cancel. (uuid) */
  messageId: string;
}

/** What `email.message.cancel` answers. */
export interface EmailMessageCancelResult {
  message: Open<EmailMessage>;
}

/** Codes that `email.message.cancel` can answer. */
export type EmailMessageCancelCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'message_not_cancellable';

/** What `email.message.get` takes. */
export interface EmailMessageGetInput {
  /** The message to show. (uuid) */
  messageId: string;
}

/** What `email.message.get` answers. */
export interface EmailMessageGetResult {
  message: Open<EmailMessage>;
  content: Open<{
    text: string | null;
    html: string | null;
  }> | null;
  attachments: Open<{
    filename: string;
    contentType: string;
    bytes: number;
  }>[];
  /** The status of each recipient. Erased people are not among them. */
  recipients: (Open<{
    /** email */
    email: string;
    status: 'queued' | 'sent' | 'failed' | 'suppressed' | 'cancelled';
    smtpCode: number | null;
    response: string | null;
    /** date-time */
    endedAt: string | null;
  }>)[];
  /** Every attempt to hand it over to the mail server. */
  attempts: (Open<{
    /** date-time */
    at: string;
    status: 'sent' | 'temporary' | 'permanent' | 'mixed';
    smtpCode: number | null;
    /** What the mail server answered. */
    response: string;
    durationMs: number;
  }>)[];
  timeline: Open<{
    /** date-time */
    at: string;
    status: string;
  }>[];
}

/** Codes that `email.message.get` can answer. */
export type EmailMessageGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `email.message.list` takes. */
export interface EmailMessageListInput {
  /** The `nextBefore` of the page before this one. (at most 64 characters) */
  before?: string;
  /** How many at most. (1 to 100; default 50) */
  limit?: number;
  status?: 'queued' | 'held' | 'sending' | 'sent' | 'failed' | 'suppressed' | 'cancelled' | 'bounced';
  /** Messages to this address, as to, cc or bcc. (email) */
  to?: string;
  /** `key=value` */
  tag?: string;
  /** Accepted at this time or later. (date-time) */
  since?: string;
  /** Accepted before this time. (date-time) */
  until?: string;
}

/** What `email.message.list` answers. */
export interface EmailMessageListResult {
  messages: Open<EmailMessage>[];
  /** Pass it as `before` for the next page; null on the last one. */
  nextBefore: string | null;
}

/** Codes that `email.message.list` can answer. */
export type EmailMessageListCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `email.send` takes. */
export interface EmailSendInput {
  /** The recipients. */
  to: string | string[];
  /** Addresses that get a copy, visible to all recipients. (1 to 50 items) */
  cc?: string[];
  /** Addresses that get a copy, visible to nobody. (1 to 50 items) */
  bcc?: string[];
  /** On the project’s own sending domain or a verified one. Defaults to the project’s sender. (email) */
  from?: string;
  /** The name that recipients see. (at most 120 characters) */
  fromName?: string;
  /** Where replies go. (1 to 10 items) */
  replyTo?: string[];
  /** Liquid, like text and html. (1 to 998 characters) */
  subject: string;
  /** The message as plain text. At least one of text and html is required. (at most 1048576 characters) */
  text?: string;
  /** The message as HTML. Values of variables are escaped. (at most 1048576 characters) */
  html?: string;
  /** Values of the variables in the content. */
  variables?: Record<string, unknown>;
  /** At most 10 MiB together. (1 to 20 items) */
  attachments?: {
    /** The name that recipients see. (1 to 255 characters) */
    filename: string;
    /** MIME type, such as application/pdf. (at most 127 characters) */
    contentType: string;
    /** Base64. */
    content: string;
    /** For inline images: <img src="cid:…">. (1 to 200 characters) */
    contentId?: string;
  }[];
  /** Further headers: only X-* and List-*. */
  headers?: Record<string, string>;
  /** Labels of yours to find messages by. */
  tags?: Record<string, string>;
  /** The consent topic. There must be exactly one `to`, who has granted it, and List-Unsubscribe is added. (1 to 64 characters) */
  topic?: string;
  /** Do not send before this time; up to 30 days ahead. (date-time) */
  sendAfter?: string;
}

/** What `email.send` answers. */
export interface EmailSendResult {
  /** uuid */
  messageId: string;
  status: 'queued' | 'suppressed';
  blocked: Open<{
    reason: 'test_environment' | 'no_consent' | 'suppressed_recipient';
    /** The next step. */
    fix: string;
  }> | null;
  suppressedRecipients: string[];
  attachments: Open<{
    filename: string;
    contentType: string;
    bytes: number;
  }>[];
  to: string[];
  /** email */
  from: string;
  fromName: string | null;
  subject: string;
  template: string | null;
  templateVersion: number | null;
  templateLocale: string | null;
  /** date-time */
  sendAfter: string | null;
}

/** Codes that `email.send` can answer. */
export type EmailSendCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'missing_variables' | 'template_invalid' | 'sender_not_verified' | 'attachments_too_large' | 'account_closed' | 'topic_archived';

/** What `email.sender.get` takes. */
export type EmailSenderGetInput = Record<string, never>;

/** What `email.sender.get` answers. */
export interface EmailSenderGetResult {
  sender: Open<Sender>;
  /** On the project’s own sending domain, which is always verified. (email) */
  ownAddress: string;
}

/** Codes that `email.sender.get` can answer. */
export type EmailSenderGetCode = CommonCode | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required';

/** What `email.sender.set` takes. */
export interface EmailSenderSetInput {
  /** On the project’s own sending domain or a verified one. (email) */
  from?: string;
  /** The name that recipients see. (at most 120 characters) */
  fromName?: string;
  /** Where replies go; null for the from address. (email) */
  replyTo?: string | null;
  /** The postal address that marketing mail must contain. (at most 500 characters) */
  legalAddress?: string;
}

/** What `email.sender.set` answers. */
export interface EmailSenderSetResult {
  sender: Open<Sender>;
}

/** Codes that `email.sender.set` can answer. */
export type EmailSenderSetCode = CommonCode | 'idempotency_mismatch' | 'idempotency_in_progress' | 'unauthenticated' | 'forbidden' | 'permission_required' | 'secret_key_required' | 'environment_required' | 'sender_not_verified';

/** The types of every operation, by its name. */
export interface SvcOperationTypes {
  'account.activity.get': { input: AccountActivityGetInput; result: Open<AccountActivityGetResult>; code: AccountActivityGetCode; item: never };
  'account.activity.list': { input: AccountActivityListInput; result: Open<AccountActivityListResult>; code: AccountActivityListCode; item: Open<Activity> };
  'account.close': { input: AccountCloseInput; result: Open<AccountCloseResult>; code: AccountCloseCode; item: never };
  'account.get': { input: AccountGetInput; result: Open<AccountGetResult>; code: AccountGetCode; item: never };
  'account.invite.describe': { input: AccountInviteDescribeInput; result: Open<AccountInviteDescribeResult>; code: AccountInviteDescribeCode; item: never };
  'account.member.invite': { input: AccountMemberInviteInput; result: Open<AccountMemberInviteResult>; code: AccountMemberInviteCode; item: never };
  'account.member.list': { input: AccountMemberListInput; result: Open<AccountMemberListResult>; code: AccountMemberListCode; item: Open<Member> };
  'account.member.remove': { input: AccountMemberRemoveInput; result: Open<AccountMemberRemoveResult>; code: AccountMemberRemoveCode; item: never };
  'account.member.role.set': { input: AccountMemberRoleSetInput; result: Open<AccountMemberRoleSetResult>; code: AccountMemberRoleSetCode; item: never };
  'account.project.create': { input: AccountProjectCreateInput; result: Open<AccountProjectCreateResult>; code: AccountProjectCreateCode; item: never };
  'account.project.list': { input: AccountProjectListInput; result: Open<AccountProjectListResult>; code: AccountProjectListCode; item: Open<ProjectWithEnvironments> };
  'account.project.update': { input: AccountProjectUpdateInput; result: Open<AccountProjectUpdateResult>; code: AccountProjectUpdateCode; item: never };
  'account.reopen': { input: AccountReopenInput; result: Open<AccountReopenResult>; code: AccountReopenCode; item: never };
  'account.signup': { input: AccountSignupInput; result: Open<AccountSignupResult>; code: AccountSignupCode; item: never };
  'account.theme.draft.save': { input: AccountThemeDraftSaveInput; result: Open<AccountThemeDraftSaveResult>; code: AccountThemeDraftSaveCode; item: never };
  'account.theme.get': { input: AccountThemeGetInput; result: Open<AccountThemeGetResult>; code: AccountThemeGetCode; item: never };
  'account.theme.publish': { input: AccountThemePublishInput; result: Open<AccountThemePublishResult>; code: AccountThemePublishCode; item: never };
  'account.theme.reset': { input: AccountThemeResetInput; result: Open<AccountThemeResetResult>; code: AccountThemeResetCode; item: never };
  'account.update': { input: AccountUpdateInput; result: Open<AccountUpdateResult>; code: AccountUpdateCode; item: never };
  'audience.consent.grant': { input: AudienceConsentGrantInput; result: Open<AudienceConsentGrantResult>; code: AudienceConsentGrantCode; item: never };
  'audience.consent.list': { input: AudienceConsentListInput; result: Open<AudienceConsentListResult>; code: AudienceConsentListCode; item: Open<ConsentRecord> };
  'audience.consent.revoke': { input: AudienceConsentRevokeInput; result: Open<AudienceConsentRevokeResult>; code: AudienceConsentRevokeCode; item: never };
  'audience.contact.delete': { input: AudienceContactDeleteInput; result: Open<AudienceContactDeleteResult>; code: AudienceContactDeleteCode; item: never };
  'audience.contact.get': { input: AudienceContactGetInput; result: Open<AudienceContactGetResult>; code: AudienceContactGetCode; item: never };
  'audience.contact.import': { input: AudienceContactImportInput; result: Open<AudienceContactImportResult>; code: AudienceContactImportCode; item: never };
  'audience.contact.list': { input: AudienceContactListInput; result: Open<AudienceContactListResult>; code: AudienceContactListCode; item: Open<Contact> };
  'audience.contact.update': { input: AudienceContactUpdateInput; result: Open<AudienceContactUpdateResult>; code: AudienceContactUpdateCode; item: never };
  'audience.contact.upsert': { input: AudienceContactUpsertInput; result: Open<AudienceContactUpsertResult>; code: AudienceContactUpsertCode; item: never };
  'audience.event.record': { input: AudienceEventRecordInput; result: Open<AudienceEventRecordResult>; code: AudienceEventRecordCode; item: never };
  'audience.import.get': { input: AudienceImportGetInput; result: Open<AudienceImportGetResult>; code: AudienceImportGetCode; item: Open<{
    /** Counted from 1, without the header line and blank lines of a CSV. (at least 1) */
    row: number;
    code: string;
    message: string;
  }> };
  'audience.preferences.get': { input: AudiencePreferencesGetInput; result: Open<AudiencePreferencesGetResult>; code: AudiencePreferencesGetCode; item: never };
  'audience.preferences.link': { input: AudiencePreferencesLinkInput; result: Open<AudiencePreferencesLinkResult>; code: AudiencePreferencesLinkCode; item: never };
  'audience.preferences.set': { input: AudiencePreferencesSetInput; result: Open<AudiencePreferencesSetResult>; code: AudiencePreferencesSetCode; item: never };
  'audience.segment.create': { input: AudienceSegmentCreateInput; result: Open<AudienceSegmentCreateResult>; code: AudienceSegmentCreateCode; item: never };
  'audience.segment.delete': { input: AudienceSegmentDeleteInput; result: Open<AudienceSegmentDeleteResult>; code: AudienceSegmentDeleteCode; item: never };
  'audience.segment.get': { input: AudienceSegmentGetInput; result: Open<AudienceSegmentGetResult>; code: AudienceSegmentGetCode; item: never };
  'audience.segment.list': { input: AudienceSegmentListInput; result: Open<AudienceSegmentListResult>; code: AudienceSegmentListCode; item: Open<Segment> };
  'audience.segment.preview': { input: AudienceSegmentPreviewInput; result: Open<AudienceSegmentPreviewResult>; code: AudienceSegmentPreviewCode; item: never };
  'audience.segment.update': { input: AudienceSegmentUpdateInput; result: Open<AudienceSegmentUpdateResult>; code: AudienceSegmentUpdateCode; item: never };
  'audience.suppression.add': { input: AudienceSuppressionAddInput; result: Open<AudienceSuppressionAddResult>; code: AudienceSuppressionAddCode; item: never };
  'audience.suppression.lift': { input: AudienceSuppressionLiftInput; result: Open<AudienceSuppressionLiftResult>; code: AudienceSuppressionLiftCode; item: never };
  'audience.suppression.list': { input: AudienceSuppressionListInput; result: Open<AudienceSuppressionListResult>; code: AudienceSuppressionListCode; item: Open<Suppression> };
  'audience.topic.archive': { input: AudienceTopicArchiveInput; result: Open<AudienceTopicArchiveResult>; code: AudienceTopicArchiveCode; item: never };
  'audience.topic.create': { input: AudienceTopicCreateInput; result: Open<AudienceTopicCreateResult>; code: AudienceTopicCreateCode; item: never };
  'audience.topic.get': { input: AudienceTopicGetInput; result: Open<AudienceTopicGetResult>; code: AudienceTopicGetCode; item: never };
  'audience.topic.list': { input: AudienceTopicListInput; result: Open<AudienceTopicListResult>; code: AudienceTopicListCode; item: Open<Topic> };
  'audience.topic.restore': { input: AudienceTopicRestoreInput; result: Open<AudienceTopicRestoreResult>; code: AudienceTopicRestoreCode; item: never };
  'audience.topic.update': { input: AudienceTopicUpdateInput; result: Open<AudienceTopicUpdateResult>; code: AudienceTopicUpdateCode; item: never };
  'developers.event.get': { input: DevelopersEventGetInput; result: Open<DevelopersEventGetResult>; code: DevelopersEventGetCode; item: never };
  'developers.event.list': { input: DevelopersEventListInput; result: Open<DevelopersEventListResult>; code: DevelopersEventListCode; item: Open<Event> };
  'developers.key.create': { input: DevelopersKeyCreateInput; result: Open<DevelopersKeyCreateResult>; code: DevelopersKeyCreateCode; item: never };
  'developers.key.current': { input: DevelopersKeyCurrentInput; result: Open<DevelopersKeyCurrentResult>; code: DevelopersKeyCurrentCode; item: never };
  'developers.key.list': { input: DevelopersKeyListInput; result: Open<DevelopersKeyListResult>; code: DevelopersKeyListCode; item: Open<Key> };
  'developers.key.revoke': { input: DevelopersKeyRevokeInput; result: Open<DevelopersKeyRevokeResult>; code: DevelopersKeyRevokeCode; item: never };
  'developers.key.rotate': { input: DevelopersKeyRotateInput; result: Open<DevelopersKeyRotateResult>; code: DevelopersKeyRotateCode; item: never };
  'developers.key.update': { input: DevelopersKeyUpdateInput; result: Open<DevelopersKeyUpdateResult>; code: DevelopersKeyUpdateCode; item: never };
  'developers.webhook.create': { input: DevelopersWebhookCreateInput; result: Open<DevelopersWebhookCreateResult>; code: DevelopersWebhookCreateCode; item: never };
  'developers.webhook.deliveries.list': { input: DevelopersWebhookDeliveriesListInput; result: Open<DevelopersWebhookDeliveriesListResult>; code: DevelopersWebhookDeliveriesListCode; item: Open<WebhookDelivery> };
  'developers.webhook.deliveries.replay': { input: DevelopersWebhookDeliveriesReplayInput; result: Open<DevelopersWebhookDeliveriesReplayResult>; code: DevelopersWebhookDeliveriesReplayCode; item: never };
  'developers.webhook.delivery.get': { input: DevelopersWebhookDeliveryGetInput; result: Open<DevelopersWebhookDeliveryGetResult>; code: DevelopersWebhookDeliveryGetCode; item: never };
  'developers.webhook.delivery.replay': { input: DevelopersWebhookDeliveryReplayInput; result: Open<DevelopersWebhookDeliveryReplayResult>; code: DevelopersWebhookDeliveryReplayCode; item: never };
  'developers.webhook.disable': { input: DevelopersWebhookDisableInput; result: Open<DevelopersWebhookDisableResult>; code: DevelopersWebhookDisableCode; item: never };
  'developers.webhook.enable': { input: DevelopersWebhookEnableInput; result: Open<DevelopersWebhookEnableResult>; code: DevelopersWebhookEnableCode; item: never };
  'developers.webhook.get': { input: DevelopersWebhookGetInput; result: Open<DevelopersWebhookGetResult>; code: DevelopersWebhookGetCode; item: never };
  'developers.webhook.list': { input: DevelopersWebhookListInput; result: Open<DevelopersWebhookListResult>; code: DevelopersWebhookListCode; item: Open<WebhookEndpoint> };
  'developers.webhook.secret.rotate': { input: DevelopersWebhookSecretRotateInput; result: Open<DevelopersWebhookSecretRotateResult>; code: DevelopersWebhookSecretRotateCode; item: never };
  'developers.webhook.test': { input: DevelopersWebhookTestInput; result: Open<DevelopersWebhookTestResult>; code: DevelopersWebhookTestCode; item: never };
  'developers.webhook.update': { input: DevelopersWebhookUpdateInput; result: Open<DevelopersWebhookUpdateResult>; code: DevelopersWebhookUpdateCode; item: never };
  'email.message.cancel': { input: EmailMessageCancelInput; result: Open<EmailMessageCancelResult>; code: EmailMessageCancelCode; item: never };
  'email.message.get': { input: EmailMessageGetInput; result: Open<EmailMessageGetResult>; code: EmailMessageGetCode; item: never };
  'email.message.list': { input: EmailMessageListInput; result: Open<EmailMessageListResult>; code: EmailMessageListCode; item: Open<EmailMessage> };
  'email.send': { input: EmailSendInput; result: Open<EmailSendResult>; code: EmailSendCode; item: never };
  'email.sender.get': { input: EmailSenderGetInput; result: Open<EmailSenderGetResult>; code: EmailSenderGetCode; item: never };
  'email.sender.set': { input: EmailSenderSetInput; result: Open<EmailSenderSetResult>; code: EmailSenderSetCode; item: never };
}

export type OperationName = keyof SvcOperationTypes;

/** What the client must know of each operation. */
export const operations: Readonly<Record<string, OperationFacts>> = {
  'account.activity.get': { read: true, retrySafe: true },
  'account.activity.list': { read: true, retrySafe: true, list: 'activities' },
  'account.close': {},
  'account.get': { read: true, retrySafe: true },
  'account.invite.describe': { read: true, retrySafe: true },
  'account.member.invite': {},
  'account.member.list': { read: true, retrySafe: true, list: 'members' },
  'account.member.remove': { retrySafe: true },
  'account.member.role.set': { retrySafe: true },
  'account.project.create': {},
  'account.project.list': { read: true, retrySafe: true, list: 'projects' },
  'account.project.update': { retrySafe: true },
  'account.reopen': { retrySafe: true },
  'account.signup': {},
  'account.theme.draft.save': { retrySafe: true },
  'account.theme.get': { read: true, retrySafe: true },
  'account.theme.publish': { retrySafe: true },
  'account.theme.reset': { retrySafe: true },
  'account.update': { retrySafe: true },
  'audience.consent.grant': {},
  'audience.consent.list': { read: true, retrySafe: true, list: 'consents' },
  'audience.consent.revoke': { retrySafe: true },
  'audience.contact.delete': { retrySafe: true },
  'audience.contact.get': { read: true, retrySafe: true },
  'audience.contact.import': {},
  'audience.contact.list': { read: true, retrySafe: true, list: 'contacts' },
  'audience.contact.update': { retrySafe: true },
  'audience.contact.upsert': { retrySafe: true },
  'audience.event.record': {},
  'audience.import.get': { read: true, retrySafe: true, list: 'rejected' },
  'audience.preferences.get': { read: true, retrySafe: true },
  'audience.preferences.link': { retrySafe: true },
  'audience.preferences.set': {},
  'audience.segment.create': {},
  'audience.segment.delete': { retrySafe: true },
  'audience.segment.get': { read: true, retrySafe: true },
  'audience.segment.list': { read: true, retrySafe: true, list: 'segments' },
  'audience.segment.preview': { read: true, retrySafe: true },
  'audience.segment.update': { retrySafe: true },
  'audience.suppression.add': { retrySafe: true },
  'audience.suppression.lift': { retrySafe: true },
  'audience.suppression.list': { read: true, retrySafe: true, list: 'suppressions' },
  'audience.topic.archive': { retrySafe: true },
  'audience.topic.create': {},
  'audience.topic.get': { read: true, retrySafe: true },
  'audience.topic.list': { read: true, retrySafe: true, list: 'topics' },
  'audience.topic.restore': { retrySafe: true },
  'audience.topic.update': { retrySafe: true },
  'developers.event.get': { read: true, retrySafe: true },
  'developers.event.list': { read: true, retrySafe: true, list: 'events' },
  'developers.key.create': {},
  'developers.key.current': { read: true, retrySafe: true },
  'developers.key.list': { read: true, retrySafe: true, list: 'keys' },
  'developers.key.revoke': { retrySafe: true },
  'developers.key.rotate': {},
  'developers.key.update': { retrySafe: true },
  'developers.webhook.create': {},
  'developers.webhook.deliveries.list': { read: true, retrySafe: true, list: 'deliveries' },
  'developers.webhook.deliveries.replay': {},
  'developers.webhook.delivery.get': { read: true, retrySafe: true },
  'developers.webhook.delivery.replay': {},
  'developers.webhook.disable': { retrySafe: true },
  'developers.webhook.enable': { retrySafe: true },
  'developers.webhook.get': { read: true, retrySafe: true },
  'developers.webhook.list': { read: true, retrySafe: true, list: 'endpoints' },
  'developers.webhook.secret.rotate': {},
  'developers.webhook.test': {},
  'developers.webhook.update': { retrySafe: true },
  'email.message.cancel': { retrySafe: true },
  'email.message.get': { read: true, retrySafe: true },
  'email.message.list': { read: true, retrySafe: true, list: 'messages' },
  'email.send': {},
  'email.sender.get': { read: true, retrySafe: true },
  'email.sender.set': { retrySafe: true },
};
