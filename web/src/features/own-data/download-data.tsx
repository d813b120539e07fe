import { useForm } from 'react-hook-form';
import { detailOf, isSessionOver, refusalOf, routes, useDownload } from '../../api';
import { Form, FormActs, notifyError, notifySuccess } from '../../ui';
import { tellRefusal } from '../forms';
import { codeCodes, codeOf, proofCodes, SecurityProof, useProof } from '../security';

const FAILED = 'Your data could not be downloaded. Please try again.';
const FILE = 'lode-data.json';

/** Takes away all that is kept about whoever is signed in, once they prove that it is they who ask. */
export function DownloadData() {
  const [download] = useDownload();
  const proof = useProof('security');
  const { register, handleSubmit, formState, setError, reset } = useForm({
    defaultValues: { proof: '', code: '' },
  });
  const submit = handleSubmit(async ({ proof: password, code }) => {
    const proven = await proof.take({ password, ...codeOf(code) });
    if (proven === undefined) return;
    const error = await download(routes.downloadOwnData, { proof: proven }, FILE);
    if (error === undefined) {
      reset();
      notifySuccess('Your data was downloaded.');
      return;
    }
    // A file that breaks off has changed nothing.
    if (detailOf(error) === undefined && !isSessionOver(error)) {
      notifyError(FAILED);
      return;
    }
    const codes = { ...proofCodes, ...codeCodes };
    tellRefusal(refusalOf(error, { failed: FAILED, codes, fields: ['proof', 'code'] }), setError);
  });
  const { errors, isSubmitting } = formState;
  return (
    <Form label="Download my data" onSubmit={submit}>
      <p className="soft">
        Your profile, balances, movements, requests, messages, mails, devices and history. What you uploaded
        is named in it, with the address to fetch it from.
      </p>
      <SecurityProof proof={proof} register={register} errors={errors} />
      <FormActs submit="Download my data" busy={isSubmitting} quiet>
        It says all about you: keep it where nobody else reads it.
      </FormActs>
    </Form>
  );
}
