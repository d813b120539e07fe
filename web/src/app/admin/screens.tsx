import { lazy } from 'react';
import { mayDo, type AdminAct } from '#contracts';
import { useDuty } from '../../features/duty';
import { Forbidden } from '../forbidden';

/** The screens of admins, by the names of their paths. */
const screens = {
  dashboard: lazy(() => import('./dashboard')),
  adminDashboard: lazy(() => import('./dashboard')),
  figures: lazy(() => import('./figures')),
  users: lazy(() => import('./users')),
  person: lazy(() => import('./person')),
  createUser: lazy(() => import('./create-user')),
  invitations: lazy(() => import('./invitations')),
  admins: lazy(() => import('./admins')),
  fund: lazy(() => import('./fund-wallet')),
  transactions: lazy(() => import('./funds-management')),
  events: lazy(() => import('./events')),
  streams: lazy(() => import('./streams')),
  travel: lazy(() => import('./travel')),
  caseFile: lazy(() => import('./case-file')),
  trialBalance: lazy(() => import('./trial-balance')),
  activity: lazy(() => import('./activity')),
  security: lazy(() => import('./security-events')),
  fundHistory: lazy(() => import('./fund-requests')),
  withdrawalHistory: lazy(() => import('./withdrawals')),
  transferHistory: lazy(() => import('./transfers')),
  projections: lazy(() => import('./projections')),
  jobs: lazy(() => import('./jobs')),
  engines: lazy(() => import('./engines')),
  approvals: lazy(() => import('./approvals')),
  approvalLimits: lazy(() => import('./approval-limits')),
  settings: lazy(() => import('./settings')),
  support: lazy(() => import('./reports')),
  prices: lazy(() => import('./prices')),
  bonusPolicy: lazy(() => import('./bonus-policy')),
  depositDetails: lazy(() => import('./deposit-details')),
  mails: lazy(() => import('./mails')),
  uploadProduct: lazy(() => import('./upload-product')),
  productList: lazy(() => import('./products')),
  siteContent: lazy(() => import('./site-content')),
} as const;

export type AdminScreenName = keyof typeof screens;

/** What the screens are there for that have nothing to look at. */
const needs: Partial<Record<AdminScreenName, AdminAct>> = {
  createUser: 'look after people',
  fund: 'decide on money',
  uploadProduct: 'write the site',
};

/** A screen of admins. What they are made of is named here, where no customer's browser looks. */
export default function AdminScreen({ name }: { readonly name: AdminScreenName }) {
  const duty = useDuty();
  const act = needs[name];
  if (act !== undefined && !mayDo(duty, act)) return <Forbidden />;
  const Screen = screens[name];
  return <Screen />;
}
