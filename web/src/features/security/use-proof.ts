import { useState } from 'react';
import type { SecondFactorState } from '#contracts';
import { detailOf, isSessionOver, useAskPasskeyMutation, useSecondFactorQuery } from '../../api';
import { passkeyLackFor, signByPasskey, type SignedByPasskey } from '../../webauthn';

/** What is proven, and by it which of a person's ways will do. */
export type Purpose = Parameters<ReturnType<typeof useAskPasskeyMutation>[0]>[0]['for'];

const hasPasskeyIn = (factor: SecondFactorState | undefined) => (factor?.passkeys.length ?? 0) > 0;
const lackIn = (factor: SecondFactorState | undefined) => factor && passkeyLackFor(factor);
const canSignBy = (factor: SecondFactorState | undefined) =>
  hasPasskeyIn(factor) && lackIn(factor) === undefined;

/** Whether whoever is signed in can prove by a passkey who asks: there is one, and this browser can use it here. */
export function useCanSign(): boolean {
  return canSignBy(useSecondFactorQuery().data);
}

/** What a form proves it by: what was typed, or what a passkey signed. */
export type Proven<Typed> = Typed | { readonly passkey: SignedByPasskey };

/** How a form asks again who it is that asks. */
export type FormProof = {
  /** By what is typed, or by a passkey that signs once the form is sent. */
  readonly way: 'typed' | 'passkey';
  /** Whether there is the other way as well. */
  readonly hasOther: boolean;
  /** Whether what is typed has a code of the second factor. */
  readonly asksCode: boolean;
  /** Why no passkey has signed, or can. */
  readonly said: string | undefined;
  readonly choose: (way: FormProof['way']) => void;
  /** What the form proves it by; undefined where no passkey signed, which `said` tells of. */
  readonly take: <Typed extends object>(typed: Typed) => Promise<Proven<Typed> | undefined>;
};

const UNREACHABLE = 'The service could not be reached. Please try again.';

/**
 * Asks by what is typed or by a passkey of whoever has one. What guards the account is asked a passkey alone of whoever has no
 * app; `isPasskeyAlone` says so of other forms.
 */
export function useProof(purpose: Purpose, isPasskeyAlone = false): FormProof {
  const { data } = useSecondFactorQuery();
  const [ask] = useAskPasskeyMutation();
  const [chosen, setChosen] = useState<FormProof['way']>('typed');
  const [said, setSaid] = useState<string>();
  const hasApp = data?.hasApp ?? false;
  const isForNoMoney = purpose === 'security' || purpose === 'step-up';
  const isAlone = hasPasskeyIn(data) && (isPasskeyAlone || (isForNoMoney && !hasApp));
  const canUse = canSignBy(data);
  const way = isAlone || (canUse && chosen === 'passkey') ? 'passkey' : 'typed';
  const lack = way === 'passkey' ? lackIn(data) : undefined;
  const signed = async () => {
    setSaid(undefined);
    if (lack !== undefined) return { said: lack };
    const { data: options, error } = await ask({ for: purpose });
    if (error === undefined) return signByPasskey(options);
    return { said: isSessionOver(error) ? undefined : (detailOf(error) ?? UNREACHABLE) };
  };
  return {
    way,
    hasOther: canUse && !isAlone,
    asksCode: purpose === 'second factor' ? (data?.isOn ?? false) : hasApp,
    said: said ?? lack,
    choose: (next) => {
      setSaid(undefined);
      setChosen(next);
    },
    take: async (typed) => {
      if (way === 'typed') return typed;
      const outcome = await signed();
      if ('passkey' in outcome) return { passkey: outcome.passkey };
      setSaid(outcome.said);
      return undefined;
    },
  };
}
