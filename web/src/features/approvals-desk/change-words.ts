import { duties, type ChangePart, type Duty, type WaitingChange } from '#contracts';
import { dutyNames } from '../duty';
import { changesOf, type SettingChange } from '../setting';

/** What each kind of change is of. */
const partNames: Readonly<Record<ChangePart, string>> = {
  'deposit-details': 'Deposit addresses',
  'dollar-rate': 'Dollar rate',
  prices: 'Prices',
  'bonus-policy': 'Bonus policy',
  'approval-limits': 'Approval limits',
  duty: 'Duty',
  bonus: 'New bonus cycle',
};

/** What a change is of, and whose where it is somebody's. */
export function changeName({ part, of }: Pick<WaitingChange, 'part' | 'of'>): string {
  return of === null ? partNames[part] : `${partNames[part]} of ${of.name}`;
}

/** What a change would give another value, one by one; nothing of a cycle that begins anew, which has none. */
export function valuesOf({ part, data, was }: WaitingChange): readonly SettingChange[] {
  if (part === 'bonus') return [];
  if (part === 'duty')
    return [{ name: 'Duty', from: dutyWord(was['duty']), to: dutyWord(data['duty']) ?? 'not known' }];
  return changesOf({ part, data, was });
}

function dutyWord(given: unknown): string | undefined {
  const known: Duty | undefined = duties.find((duty) => duty === given);
  return known && dutyNames[known];
}
