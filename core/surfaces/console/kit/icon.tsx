import { h } from 'preact';
import {
  Activity,
  Ban,
  Building2,
  Check,
  ChevronDown,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Code,
  Copy,
  CreditCard,
  ExternalLink,
  House,
  KeyRound,
  List,
  LogOut,
  Mail,
  Menu,
  MessageSquare,
  Play,
  Plus,
  RefreshCw,
  Search,
  Send,
  SquareTerminal,
  Trash2,
  TriangleAlert,
  Upload,
  User,
  Users,
  Webhook,
  type IconNode,
} from 'lucide';

/** The icons of the console, by the name that screens use. */
const icons = {
  activity: Activity,
  alert: CircleAlert,
  ban: Ban,
  building: Building2,
  calls: SquareTerminal,
  card: CreditCard,
  check: Check,
  code: Code,
  copy: Copy,
  done: CircleCheck,
  down: ChevronDown,
  external: ExternalLink,
  home: House,
  key: KeyRound,
  list: List,
  mail: Mail,
  menu: Menu,
  message: MessageSquare,
  open: CircleDashed,
  play: Play,
  plus: Plus,
  refresh: RefreshCw,
  right: ChevronRight,
  search: Search,
  send: Send,
  'sign-out': LogOut,
  trash: Trash2,
  upload: Upload,
  user: User,
  users: Users,
  warning: TriangleAlert,
  webhook: Webhook,
} satisfies Record<string, IconNode>;

export type IconName = keyof typeof icons;

/** A decoration beside words. An icon that stands for words is in a button with a label. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="i" viewBox="0 0 24 24" aria-hidden="true">
    {icons[name].map(([tag, attributes]) => h(tag, attributes))}
  </svg>
);
