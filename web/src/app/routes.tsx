import { lazy, type ReactNode } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { adminPaths } from '#contracts';
import { useUser } from '../api';
import { Crash } from './crash';
import { FromServer } from './from-server';
import { RequireSession } from './guard';
import { Forbidden } from './forbidden';
import { paths } from './paths';
import { Shell } from './shell';

const WalletDashboard = lazy(() => import('./wallet/dashboard'));
const FundAccount = lazy(() => import('./wallet/fund-account'));
const FundingHistory = lazy(() => import('./wallet/funding-history'));
const WithdrawalRequest = lazy(() => import('./wallet/withdrawal-request'));
const WithdrawalHistory = lazy(() => import('./wallet/withdrawal-history'));
const Transfer = lazy(() => import('./wallet/transfer'));
const TransferHistory = lazy(() => import('./wallet/transfer-history'));
const NewRequest = lazy(() => import('./wallet/new-request'));
const Assets = lazy(() => import('./wallet/assets'));
const Statement = lazy(() => import('./wallet/statement'));
const History = lazy(() => import('./wallet/history'));
const Support = lazy(() => import('./wallet/support'));
const Settings = lazy(() => import('./wallet/settings'));
const AdminScreen = lazy(() => import('./admin/screens'));

const adminNames = Object.keys(adminPaths) as readonly (keyof typeof adminPaths)[];

/** Shows each role its own screen; the other role's code is never asked for. */
function ByRole({ user, admin }: { readonly user: ReactNode; readonly admin: ReactNode }) {
  return useUser().role === 'admin' ? admin : user;
}

/** The routes of the signed-in app; an address that is none of them is the router's error. The server checks every call by role and ownership; this only chooses screens. */
export const routes: RouteObject[] = [
  {
    errorElement: <Crash />,
    children: [
      { path: paths.login, element: <FromServer /> },
      { path: paths.register, element: <FromServer /> },
      { path: paths.registerAdmin, element: <FromServer /> },
      {
        element: <RequireSession shell={Shell} />,
        children: [
          {
            errorElement: <Crash />,
            children: [
              {
                path: paths.dashboard,
                element: <ByRole user={<WalletDashboard />} admin={<AdminScreen name="dashboard" />} />,
              },
              ...adminNames.map((name) => ({
                path: adminPaths[name],
                element: <ByRole user={<Forbidden />} admin={<AdminScreen name={name} />} />,
              })),
              {
                path: paths.fund,
                element: <ByRole user={<FundAccount />} admin={<AdminScreen name="fund" />} />,
              },
              {
                path: paths.transactions,
                element: <ByRole user={<FundingHistory />} admin={<AdminScreen name="transactions" />} />,
              },
              { path: paths.newRequest, element: <ByRole user={<NewRequest />} admin={<Forbidden />} /> },
              { path: paths.assets, element: <Assets /> },
              { path: paths.statement, element: <ByRole user={<Statement />} admin={<Forbidden />} /> },
              { path: paths.history, element: <ByRole user={<History />} admin={<Forbidden />} /> },
              {
                path: paths.settings,
                element: <ByRole user={<Settings />} admin={<AdminScreen name="settings" />} />,
              },
              {
                path: paths.support,
                element: <ByRole user={<Support />} admin={<AdminScreen name="support" />} />,
              },
              { path: paths.transfer, element: <ByRole user={<Transfer />} admin={<Forbidden />} /> },
              {
                path: paths.transferHistory,
                element: <ByRole user={<TransferHistory />} admin={<AdminScreen name="transferHistory" />} />,
              },
              {
                path: paths.withdraw,
                element: <ByRole user={<WithdrawalRequest />} admin={<Forbidden />} />,
              },
              {
                path: paths.withdrawalHistory,
                element: (
                  <ByRole user={<WithdrawalHistory />} admin={<AdminScreen name="withdrawalHistory" />} />
                ),
              },
              {
                path: paths.fundHistory,
                element: <ByRole user={<FundingHistory />} admin={<AdminScreen name="fundHistory" />} />,
              },
            ],
          },
        ],
      },
    ],
  },
];

export function makeRouter() {
  return createBrowserRouter(routes);
}
