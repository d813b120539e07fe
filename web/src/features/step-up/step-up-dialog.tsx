import { Button } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { refusalOf } from '../../api';
import { Dialog, FormActs } from '../../ui';
import { tellRefusal } from '../forms';
import { codeCodes, CodeInput, codeProblem, Proof, proofCodes, ProofInput, useProof } from '../security';
import { useStepUpMutation } from './api';
import styles from './step-up.module.css';

const FAILED = 'This could not be looked at. Please try again.';
/** In pixels. */
const WIDTH = 420;

/** Stands over whatever asked for something that needs a fresh proof, and leaves what was typed there as it is. */
export default function StepUpDialog({ onEnd }: { readonly onEnd: (isProved: boolean) => void }) {
  const [stepUp] = useStepUpMutation();
  const proof = useProof('step-up');
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { proof: '', code: '' },
  });
  const submit = handleSubmit(async ({ proof: password, code }) => {
    const proven = await proof.take(proof.asksCode ? { code } : { password });
    if (proven === undefined) return;
    const { error } = await stepUp({ proof: proven });
    if (error === undefined) {
      onEnd(true);
      return;
    }
    // A code is the only field where there is one.
    const codes = proof.asksCode
      ? { ...codeCodes, proof_missing: 'code' as const, too_many_attempts: 'code' as const }
      : proofCodes;
    tellRefusal(refusalOf(error, { failed: FAILED, codes, fields: ['proof', 'code'] }), setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Dialog title="Is it you?" width={WIDTH} closable={false} onClose={() => undefined}>
      <form
        className={styles.body}
        aria-label="Prove that it is you"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <p className="soft">
          This needs a proof of the last five minutes. What you asked for then goes on by itself.
        </p>
        <Proof proof={proof} instead={proof.asksCode ? 'code' : 'password'}>
          {() =>
            proof.asksCode ? (
              <CodeInput error={errors.code?.message} {...register('code', { validate: codeProblem })} />
            ) : (
              <ProofInput
                label="Your password"
                error={errors.proof?.message}
                {...register('proof', { validate: (text) => text !== '' || 'Please enter your password.' })}
              />
            )
          }
        </Proof>
        <FormActs submit="Go on" busy={isSubmitting} />
        <Button variant="subtle" fullWidth onClick={() => onEnd(false)}>
          Cancel
        </Button>
      </form>
    </Dialog>
  );
}
