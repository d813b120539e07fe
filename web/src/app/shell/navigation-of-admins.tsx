import Activity from 'lucide-react/icons/activity';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import ArrowDownToLine from 'lucide-react/icons/arrow-down-to-line';
import ArrowLeftRight from 'lucide-react/icons/arrow-left-right';
import ArrowUpFromLine from 'lucide-react/icons/arrow-up-from-line';
import CheckCheck from 'lucide-react/icons/check-check';
import ChartColumn from 'lucide-react/icons/chart-column';
import CircleDollarSign from 'lucide-react/icons/circle-dollar-sign';
import Gift from 'lucide-react/icons/gift';
import Globe from 'lucide-react/icons/globe';
import Gauge from 'lucide-react/icons/gauge';
import Landmark from 'lucide-react/icons/landmark';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Link2 from 'lucide-react/icons/link-2';
import List from 'lucide-react/icons/list';
import Mail from 'lucide-react/icons/mail';
import MailPlus from 'lucide-react/icons/mail-plus';
import MessageSquare from 'lucide-react/icons/message-square';
import Package from 'lucide-react/icons/package';
import PackagePlus from 'lucide-react/icons/package-plus';
import Scale from 'lucide-react/icons/scale';
import ScrollText from 'lucide-react/icons/scroll-text';
import ShieldCheck from 'lucide-react/icons/shield-check';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import UserCheck from 'lucide-react/icons/user-check';
import Server from 'lucide-react/icons/server';
import Settings from 'lucide-react/icons/settings';
import UserPlus from 'lucide-react/icons/user-plus';
import Users from 'lucide-react/icons/users';
import Wallet from 'lucide-react/icons/wallet';
import { mayDo, type AdminAct, type Duty } from '#contracts';
import { useTotalsQuery } from '../../api';
import { paths, transferHistoryOf, withdrawalHistoryOf } from '../paths';
import type { Begun, Navigation, Place } from './navigation';
import { useAnyFoundId } from './use-any-found-id';
import styles from './side-menu.module.css';

function PendingFunding() {
  return <Waiting count={useTotalsQuery().data?.pendingFunding} />;
}

function PendingWithdrawals() {
  return <Waiting count={useTotalsQuery().data?.pendingWithdrawals} />;
}

function PendingTransfers() {
  return <Waiting count={useTotalsQuery().data?.pendingTransfers} />;
}

function Waiting({ count = 0 }: { readonly count?: number | undefined }) {
  if (count === 0) return null;
  return (
    <span className={`${styles.count ?? ''} num`}>
      {count}
      <span className="visually-hidden"> pending</span>
    </span>
  );
}

/** Somewhere that nobody goes but to do what not every admin may. */
type ForSome = { readonly may?: AdminAct };

/** What begins something, for those who may. */
const begun: readonly (Begun & ForSome)[] = [
  {
    label: 'Create User',
    to: paths.createUser,
    icon: UserPlus,
    words: 'register new customer account',
    may: 'look after people',
  },
  {
    label: 'Fund Wallet',
    to: paths.fund,
    icon: Wallet,
    words: 'credit debit adjust by hand money',
    may: 'decide on money',
  },
];
const others: readonly (Place & ForSome)[] = [
  { label: 'Invitations', to: paths.invitations, icon: MailPlus },
  { label: 'Upload product', to: paths.uploadProduct, icon: PackagePlus, may: 'write the site' },
];

/** Where admins of a duty can go. */
export function navigationOfAdmins(duty: Duty): Navigation {
  const forDuty = <Some extends ForSome>(places: readonly Some[]) =>
    places.filter(({ may }) => may === undefined || mayDo(duty, may));
  return {
    ...places,
    actions: ({ userId }) => forDuty(actionsOf(userId)),
    begun: forDuty(begun),
    others: () => forDuty(others),
  };
}

/** The quick actions of somebody. */
function actionsOf(userId: string): readonly (Place & ForSome)[] {
  return [
    { to: paths.users, label: 'Manage Users', icon: Users },
    { to: paths.transactions, label: 'All Transactions', icon: List },
    { to: withdrawalHistoryOf(userId), label: 'Withdrawals', icon: ArrowUpFromLine },
    { to: paths.fund, label: 'Funding', icon: Wallet, may: 'decide on money' },
    { to: paths.settings, label: 'Settings', icon: Settings },
  ];
}

/** What every admin may look at. */
const places: Pick<Navigation, 'places' | 'useFoundId'> = {
  places: ({ userId }) => [
    {
      places: [
        { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard },
        { to: paths.users, label: 'User Management', icon: Users },
        {
          to: paths.transactions,
          label: 'Funds Management',
          icon: ArrowDownToLine,
          Count: PendingFunding,
        },
        {
          to: withdrawalHistoryOf(userId),
          label: 'Withdrawal',
          icon: ArrowUpFromLine,
          Count: PendingWithdrawals,
        },
        {
          to: transferHistoryOf(userId),
          label: 'Transfers',
          icon: ArrowLeftRight,
          Count: PendingTransfers,
        },
      ],
    },
    {
      title: 'Audit',
      places: [
        { to: paths.events, label: 'Events', icon: ScrollText },
        { to: paths.streams, label: 'Streams', icon: Link2 },
        { to: paths.activity, label: 'Activity', icon: UserCheck },
        { to: paths.security, label: 'Security', icon: ShieldAlert },
        { to: paths.trialBalance, label: 'Trial balance', icon: Scale },
        { to: paths.figures, label: 'Figures', icon: ChartColumn },
      ],
    },
    {
      title: 'Platform',
      places: [
        { to: paths.approvals, label: 'Approvals', icon: CheckCheck },
        { to: paths.approvalLimits, label: 'Approval Limits', icon: Gauge },
        { to: paths.support, label: 'Report History', icon: MessageSquare },
        { to: paths.productList, label: 'Products', icon: Package },
        { to: paths.prices, label: 'Prices', icon: CircleDollarSign },
        { to: paths.bonusPolicy, label: 'Bonus Policy', icon: Gift },
        { to: paths.depositDetails, label: 'Deposit Details', icon: Landmark },
        { to: paths.siteContent, label: 'Site Content', icon: Globe },
        { to: paths.mails, label: 'Mails', icon: Mail },
        { to: paths.admins, label: 'Admins', icon: ShieldCheck },
      ],
    },
    {
      title: 'Operations',
      places: [
        { to: paths.projections, label: 'Projections', icon: Activity },
        { to: paths.jobs, label: 'Jobs', icon: CalendarClock },
        { to: paths.engines, label: 'Engines', icon: Server },
      ],
    },
    { places: [{ to: paths.settings, label: 'Settings', icon: Settings }] },
  ],
  useFoundId: useAnyFoundId,
};
