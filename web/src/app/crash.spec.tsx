import { MantineProvider } from '@mantine/core';
import { describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { Crash } from './crash';

function Broken(): never {
  throw new Error('no such thing');
}

describe('a screen that breaks', () => {
  test('says so, and why', async () => {
    // React and the router report what was thrown; that it was is the point here.
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <Crash /> }]);
    render(
      <MantineProvider>
        <RouterProvider router={router} />
      </MantineProvider>,
    );
    expect(await screen.findByText('Unexpected Application Error!')).toBeTruthy();
    expect(screen.getByText('no such thing')).toBeTruthy();
    report.mockRestore();
  });
});
