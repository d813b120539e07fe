import { useEffect } from 'react';

/** Stands where the router comes to a page that the server writes: it is loaded, at the address that the browser has already. */
export function FromServer() {
  useEffect(() => window.location.reload(), []);
  return null;
}
