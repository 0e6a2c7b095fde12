import type { PageAnswer } from '#core/kernel/page.js';
import { html } from '#core/surfaces/pages/html.js';
import { fill, fillText, formatDateTime } from '#core/surfaces/pages/texts.js';
import type { OrgInviteRow } from '../../tables/org-invite.js';
import { view } from '../parts.js';
import type { PageProblem } from '../problem.js';
import type { Visit } from '../visit.js';

interface Ended {
  invite: OrgInviteRow;
  /** The organization, for the person who accepted the invitation; null for everyone else. */
  joined: string | null;
  isSignedIn: boolean;
}

/** An invitation that was accepted, was withdrawn or has expired. @returns null for any other problem */
export function endedInvitationView(visit: Visit, { status, code }: PageProblem, ended: Ended): PageAnswer | null {
  const said = wordsFor(visit, code, ended);
  if (!said) return null;
  const { common } = visit.texts;
  const [path, label] = ended.isSignedIn ? ['account', common.account] : ['signin', common.signIn];
  return view(visit, {
    title: said.heading,
    status: ended.joined === null ? status : 200,
    body: html`<div class="card">
      <h1>${said.heading}</h1>
      <p>${said.text}</p>
      ${code === 'invite_accepted' && html`<p><a class="button" href=${`${visit.root}/${path}`}>${label}</a></p>`}
    </div>`,
  });
}

function wordsFor({ texts, formatTag }: Visit, code: string, { invite, joined }: Ended) {
  const { invite: words } = texts;
  if (code === 'invite_accepted' && joined !== null)
    return { heading: fillText(words.memberHeading, { organization: joined }), text: words.memberText };
  if (code === 'invite_accepted') return { heading: words.acceptedHeading, text: words.acceptedText };
  if (code === 'invite_revoked') return { heading: words.revokedHeading, text: words.revokedText };
  const time = html`<time datetime=${invite.expiresAt.toISOString()}
    >${formatDateTime(formatTag, invite.expiresAt)}</time
  >`;
  if (code === 'invite_expired') return { heading: words.expiredHeading, text: fill(words.expiredText, { time }) };
  return null;
}
