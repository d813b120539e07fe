import { Button } from '@mantine/core';
import { useState } from 'react';
import { later } from '../../ui';

const DollarRateDialog = later(() => import('./dollar-rate'));

/** The button that opens the dollar rate. */
export function DollarRateButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        View Dollar Rate
      </Button>
      {isOpen && <DollarRateDialog onClose={() => setOpen(false)} />}
    </>
  );
}
