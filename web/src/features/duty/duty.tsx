import { createContext, useContext, type ReactNode } from 'react';
import { mayDo, type AdminAct, type Duty } from '#contracts';
import { useMeQuery } from './api';
import styles from './duty.module.css';

/** Where nobody says otherwise it is of an admin who only looks: nothing is offered that nobody is known to may. */
const Context = createContext<Duty>('auditor');

/** Says to the screens within it what the admin who looks at them is there for. */
export const DutyProvider = Context;

/** The duty of the admin who is signed in, once the service has told it. */
export function useOwnDuty() {
  const { data, isFetching, error, refetch } = useMeQuery();
  return { duty: data?.duty, isFetching, error, refetch };
}

/** What the admin who is signed in is there for. */
export function useDuty(): Duty {
  return useContext(Context);
}

/** Whether something is among the duties of the admin who is signed in: what is not, isn't offered. */
export function useMay(act: AdminAct): boolean {
  return mayDo(useDuty(), act);
}

type Props = { readonly act: AdminAct; readonly children: ReactNode };

/** A form that whoever may not send it can read: its fields are off, and its buttons aren't there. */
export function ForDuty({ act, children }: Props) {
  if (useMay(act)) return children;
  return (
    <fieldset disabled className={styles.read}>
      {children}
    </fieldset>
  );
}
