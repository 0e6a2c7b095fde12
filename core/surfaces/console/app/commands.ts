import { accountUrl } from '../kit/client.js';
import type { Found } from '../kit/screen.js';
import { acting, choices } from '../kit/state.js';
import { toast } from '../kit/toast.js';
import { appearances, setAppearance, type Appearance } from './appearance.js';
import { leave } from './leave.js';

/* What the palette can do at once. */

interface Command {
  /** What it is found by. */
  readonly words: string;
  readonly found: Found;
}

const group = 'Commands';

const titles: Readonly<Record<Appearance, string>> = {
  system: 'Use the appearance of the system',
  light: 'Use light appearance',
  dark: 'Use dark appearance',
};

const copy = async (text: string, said: string): Promise<void> => {
  await navigator.clipboard.writeText(text);
  toast(said);
};

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param path of the screen, below the environment */
export function commands(path: readonly string[]): Command[] {
  const id = path.findLast((part) => uuid.test(part));
  return [
    ...environments(),
    ...(id === undefined
      ? []
      : [
          {
            words: 'Copy ID of this page',
            found: { group, icon: 'copy' as const, title: 'Copy ID', beside: id, run: () => copy(id, 'ID copied.') },
          },
        ]),
    {
      words: 'Copy link to this screen address URL',
      found: {
        group,
        icon: 'copy',
        title: 'Copy link to this screen',
        run: () => copy(location.href, 'Link copied.'),
      },
    },
    ...appearances.map((each) => ({
      words: `${titles[each]} mode theme colour night day switch`,
      found: { group, icon: 'play' as const, title: titles[each], run: () => setAppearance(each) },
    })),
    ...(accountUrl.value === undefined
      ? []
      : [
          {
            words: 'How you sign in password passkey second factor profile',
            found: {
              group,
              icon: 'user' as const,
              title: 'How you sign in',
              run: () => window.open(accountUrl.value, '_blank', 'noopener'),
            },
          },
        ]),
    {
      words: 'Documentation help docs manual',
      found: { group, icon: 'external', title: 'Documentation', run: () => location.assign('/docs') },
    },
    {
      words: 'Sign out log out logout leave forget key',
      found: {
        group,
        icon: 'sign-out',
        title: acting.value?.member ? 'Sign out' : 'Forget the key',
        run: () => void leave(),
      },
    },
  ];
}

/** The other environment of the project, and the same one of other projects. */
function environments(): Command[] {
  const here = acting.value;
  if (!here) return [];
  const open = choices.value.filter(({ archived }) => archived !== true);
  const isHere = ({ account, project }: { account: string; project: string }): boolean =>
    account === here.account && project === here.project;
  return [
    ...open
      .filter((each) => isHere(each) && each.kind !== here.kind)
      .map(({ environmentId, kind }) => ({
        words: `Switch to the ${kind} environment mode`,
        found: {
          group,
          icon: 'refresh' as const,
          title: kind === 'test' ? 'Switch to Test' : 'Switch to Live',
          href: `/console/${environmentId}`,
        },
      })),
    ...open
      .filter((each) => !isHere(each) && each.kind === here.kind)
      .map(({ environmentId, project, account }) => ({
        words: `Switch to project environment ${project} ${account}`,
        found: {
          group,
          icon: 'building' as const,
          title: `Switch to ${project}`,
          beside: account,
          href: `/console/${environmentId}`,
        },
      })),
  ];
}
