import { lazy, type ReactNode } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { useUser } from '../api';
import { Crash } from './crash';
import { RequireSession } from './guard';
import { Forbidden } from './forbidden';
import { paths } from './paths';
import { Shell } from './shell';

const Login = lazy(() => import('./auth/login'));
const Register = lazy(() => import('./auth/register'));
const RegisterAdmin = lazy(() => import('./auth/register-admin'));
const WalletDashboard = lazy(() => import('./wallet/dashboard'));
const FundAccount = lazy(() => import('./wallet/fund-account'));
const FundingHistory = lazy(() => import('./wallet/funding-history'));
const AdminDashboard = lazy(() => import('./admin/dashboard'));
const FundsManagement = lazy(() => import('./admin/funds-management'));

/** Shows each role its own screen; the other role's code is never asked for. */
function ByRole({ user, admin }: { readonly user: ReactNode; readonly admin: ReactNode }) {
  return useUser().role === 'admin' ? admin : user;
}

/** The routes of the signed-in app; an address that is none of them is the router's error. The server checks every call by role and ownership; this only chooses screens. */
export const routes: RouteObject[] = [
  {
    errorElement: <Crash />,
    children: [
      { path: paths.login, element: <Login /> },
      { path: paths.register, element: <Register /> },
      { path: paths.registerAdmin, element: <RegisterAdmin /> },
      {
        element: <RequireSession shell={Shell} />,
        children: [
          {
            errorElement: <Crash />,
            children: [
              {
                path: paths.dashboard,
                element: <ByRole user={<WalletDashboard />} admin={<AdminDashboard />} />,
              },
              {
                path: paths.adminDashboard,
                element: <ByRole user={<Forbidden />} admin={<AdminDashboard />} />,
              },
              { path: paths.fund, element: <ByRole user={<FundAccount />} admin={<Forbidden />} /> },
              {
                path: paths.transactions,
                element: <ByRole user={<FundingHistory />} admin={<FundsManagement />} />,
              },
              { path: paths.fundHistory, element: <FundingHistory /> },
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
