import { skipToken } from '@reduxjs/toolkit/query/react';
import { PAGE_SIZE_MAX, type PaymentCurrency, type WaitingApproval } from '#contracts';
import { useSettingsQuery } from '../../api';
import { useApprovalsNeededQuery, useApprovalsQuery } from './api';

type Of = { readonly userId: string; readonly id: string };

/** What somebody approved of a request, or of an adjustment, that waits for other admins; undefined where nobody did. */
export function useWaiting({ userId, id }: Of): WaitingApproval | undefined {
  const { currentData } = useApprovalsQuery({ userId, limit: PAGE_SIZE_MAX });
  return currentData?.items.find((one) => one.id === id);
}

/** US dollars by what they are paid in. */
type Amounts = Readonly<Partial<Record<PaymentCurrency, string>>>;

/** How many admins these amounts take, if it is up to whoever looks; 1 as long as that is not known. */
export function useNeeded({ BTC, PI, USDT }: Amounts): number {
  return Math.max(useNeededIn('BTC', BTC), useNeededIn('PI', PI), useNeededIn('USDT', USDT));
}

function useNeededIn(currency: PaymentCurrency, amount: string | undefined): number {
  const hasTiers = (useSettingsQuery().data?.approvalLimits.tiers[currency].length ?? 0) > 0;
  const asked = hasTiers && amount !== undefined ? { currency, amount } : skipToken;
  return useApprovalsNeededQuery(asked).currentData?.approvals ?? 1;
}
