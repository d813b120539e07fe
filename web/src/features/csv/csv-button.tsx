import { Button } from '@mantine/core';
import Download from 'lucide-react/icons/download';
import { detailOf, isSessionOver, useDownload, type ApiError, type DownloadFile } from '../../api';
import { notifyError } from '../../ui';

const NOT_TAKEN = 'The file could not be made. Try again.';

type Props = {
  /** Whether there is something to take. */
  readonly isThere: boolean;
  /** Takes the file; gives why not when that fails. */
  readonly take: (download: DownloadFile) => Promise<ApiError | undefined>;
};

/** Takes all of a list away as a file for spreadsheets, however many pages it has. */
export function CsvButton(props: Props) {
  return <FileButton word="CSV" {...props} />;
}

/** The same for a file of another kind, which the button's word names. */
export function FileButton({ word, isThere, take }: Props & { readonly word: string }) {
  const [download, isUnderWay] = useDownload();
  const onTake = async () => {
    if (isUnderWay) return;
    const refused = await take(download);
    if (refused !== undefined && !isSessionOver(refused)) notifyError(detailOf(refused) ?? NOT_TAKEN);
  };
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Download className="icon small" />}
      disabled={!isThere}
      // A button that is disabled would lose the focus.
      aria-disabled={isUnderWay}
      {...(isUnderWay && { 'data-disabled': true })}
      onClick={() => void onTake()}
    >
      {isUnderWay ? 'Please wait' : word}
    </Button>
  );
}
