import { declareEvents } from '#core/kernel/event.js';
import { object, optional } from '#core/kernel/schema/schema.js';
import { Account, exampleAccount } from './accounts/resources.js';
import { Project } from './projects/resources.js';
import { Member, exampleMember } from './members/resources.js';
import { Theme, defaultAppearance, exampleDraft, exampleTheme } from './themes/appearance.js';

const account = object({ account: Account });
const member = object({ member: Member });

export const events = declareEvents({
  'account.created': {
    summary: 'An account was created.',
    subject: 'account',
    data: account,
    example: { account: exampleAccount },
  },
  'account.updated': {
    summary: 'The account’s name, country or source changed, or one of its projects was archived or unarchived.',
    subject: 'account',
    data: object({
      account: Account,
      project: optional(Project),
    }),
    example: { account: exampleAccount },
  },
  'account.closed': {
    summary: 'The account was closed. Sending stopped in all of its environments.',
    subject: 'account',
    data: account,
    example: {
      account: {
        ...exampleAccount,
        closedAt: '2026-11-21T08:00:00.000Z',
        closedReason: 'We moved to another deployment.',
      },
    },
  },
  'account.reopened': {
    summary: 'The account was reopened.',
    subject: 'account',
    data: account,
    example: { account: exampleAccount },
  },
  'account.member.invited': {
    summary: 'A member was invited.',
    subject: 'member',
    data: member,
    example: { member: exampleMember },
  },
  'account.member.invite_resent': {
    summary: 'An invitation was resent.',
    subject: 'member',
    data: member,
    example: { member: exampleMember },
  },
  'account.member.accepted': {
    summary: 'An invitation was accepted.',
    subject: 'member',
    requires: ['auth'],
    data: member,
    example: { member: { ...exampleMember, status: 'active', acceptedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'account.member.role_changed': {
    summary: 'A member’s role changed.',
    subject: 'member',
    data: member,
    example: { member: { ...exampleMember, status: 'active', role: 'admin', acceptedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'account.member.removed': {
    summary: 'A member was removed or an invitation was withdrawn.',
    subject: 'member',
    data: member,
    example: { member: { ...exampleMember, status: 'removed', acceptedAt: '2026-11-21T08:00:00.000Z' } },
  },
  'account.theme.draft_saved': {
    summary: 'A draft of the theme was saved.',
    subject: 'theme',
    data: object({ draft: Theme }),
    example: { draft: exampleDraft },
  },
  'account.theme.published': {
    summary: 'The theme was published.',
    subject: 'theme',
    data: object({ published: Theme }),
    example: { published: exampleTheme },
  },
  'account.theme.reset': {
    summary: 'The theme was reset to the default.',
    subject: 'theme',
    data: object({ published: Theme }),
    example: { published: { ...defaultAppearance('Shop'), version: 0, publishedAt: null } },
  },
});

declare module '#core/kernel/event.js' {
  interface DeclaredEvents extends Readonly<typeof events> {}
}
