/* The texts of these screens that are longer than a label. */

export const templateTexts = {
  sub: 'The texts of your emails, in each language. A draft changes nothing until it is published.',
  systemSub:
    'Emails that svc sends for the project, such as sign-in codes. Publish a template by the same name to replace the built-in texts.',
  empty: 'A template holds the texts of an email in each language. Broadcasts and automations are made from templates.',
  name: 'Its name in calls, such as order.shipped or november-letter.',
  nameForm: 'Use small letters, digits, dots, hyphens and underscores.',
  html: 'The email as HTML with Liquid. It is shown in the layout with the brand of the theme, unless it has its own html element.',
  text: 'If it is empty, the plain text is made from the HTML.',
  preheader: 'What mailboxes show beside the subject.',
  language: 'A BCP 47 tag, such as de or pt-BR.',
  lastGood: 'The preview shows the last state without this problem.',
  unsaved: 'Not saved yet',
  builtIn: 'The built-in texts are used. Save a draft here and publish it to replace them.',
  publish: 'From now on, this version is sent. Emails that are already being sent keep their version.',
  firstVersion: 'Nothing is published yet, so there is nothing to compare with.',
  same: 'The draft is the same as what is published.',
  testMissing: 'Give the variables a test value first',
  broken: 'Correct the problem in the texts first.',
  notChecked: 'Not checked yet.',
  noPreview: 'The preview has no email yet. Wait until it shows one.',
  removed: 'Nothing can be sent with it any more.',
} as const;

export const pictureTexts = {
  limits: 'JPEG, PNG, GIF or WebP, up to 10 MB. Pictures wider than 1,200 pixels are made smaller.',
  description: 'It is read aloud, and shown where pictures are blocked.',
} as const;

export const connectTexts = {
  sub: 'Ghost, WordPress, Grafana, printers and others send by SMTP, as if they called email.send.',
  off: 'The operator of this server turns it on with SVC_SUBMISSION_PORT or SVC_SUBMISSIONS_PORT.',
  password:
    'The user is any name, which the audit record shows. The password is a secret key with the permission email:write: create one for each app, so that you can revoke it alone.',
} as const;

export const broadcastTexts = {
  sub: 'One email to everybody who subscribed to a topic.',
  empty:
    'A broadcast sends a template to everybody who subscribed to a topic. You see how many will receive it before anything is sent.',
  name: 'For your own team. Recipients do not see it.',
  subject: 'If it is empty, the template’s own subject is used.',
  from: 'On the project’s own sending domain or a verified one.',
  topic: 'Only people who subscribed to it receive the email, and each can unsubscribe from it.',
  segment: 'Narrows the audience to contacts that match a segment.',
  variables: 'The same for everybody. A contact’s property of the same name wins.',
  now: 'Sending begins immediately.',
  at: 'You can cancel it until then. The audience is taken when sending begins.',
  paused: 'Nothing is sent until it is resumed.',
  cancel:
    'Emails that have been sent can’t be recalled. The others are never sent, and the broadcast cannot be sent again.',
  unschedule: 'Nothing will be sent. It becomes a draft, which you can change, and send later.',
  leftOut:
    'This makes a draft of the same email for the people of its audience who have received no email since it began. Of them, those get it who are subscribed and not suppressed at the time of sending. Nobody gets it twice.',
  leftOutLimits:
    'People who have received another email of yours since then are not in it. You see how many remain before you send.',
  ready: 'Everything is ready.',
  inexact: 'There are at least as many: counting them all takes longer.',
  counting: 'Counting the audience…',
} as const;

export const holdReasons: Readonly<Record<string, string>> = {
  paused: 'Somebody paused it.',
  account_closed: 'The account was closed.',
  bounces:
    'More than 5% of the emails bounced, so svc stopped the broadcast. Check where the addresses come from before you resume it.',
  past_due: 'An invoice is overdue.',
  spending_cap: 'It would exceed the spending cap.',
  sending_limit:
    'The mail server takes no more mail now, because its limit for the sender is reached. Resume it once that has passed.',
  mail_refused:
    'The mail server refused 20 emails in a row, and not because of their mailboxes. Nothing is lost: resume it once the mail server accepts your mail again.',
  restored:
    'The operator of this server restored a backup and held what was waiting in it. Check what was sent since, then resume or cancel it.',
  audience_too_large: 'Its audience is larger than the account may reach.',
  not_ready: 'Something is missing: see the checklist.',
};

export const automationTexts = {
  sub: 'Steps that each contact goes through after an event: an email, a pause, a branch.',
  empty:
    'An automation sends an email when something happens, waits, and then decides by what is known at that point. For example: greet new customers, and offer an upgrade three days later.',
  json: 'The definition. The diagram follows what you type.',
  notJson: 'This is not JSON yet. The diagram shows the last complete version.',
  activate: 'Contacts are enrolled from now on, not for events before.',
  pause: 'Nobody is enrolled, and the runs wait where they are until it is activated again.',
  archive: 'This is final: its waiting runs are cancelled.',
  trial:
    'What would happen if this person started now, with the steps as they are on this screen. Nothing is sent and nothing changes.',
  nobody: 'Nobody, or several people: go on typing, or choose one.',
  notEnrolled: 'The condition of the start is not met: this person would not be enrolled. Their way would be:',
  noTrial: 'Add a step first.',
  stays: 'they stay at it. A wait that has begun keeps its end.',
  ends: 'the step is removed, and they end there.',
  edit: 'Runs stay at their step if it is still there. A run whose step no longer exists ends when it would have continued. Pause first if you change the shape.',
  runs: 'Contacts that are enrolled appear here.',
  when: 'The event that enrols contacts: one that you record, such as order.placed, or one of svc’s own.',
} as const;
