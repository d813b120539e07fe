/**
 * The address of a server as it may be shown: without name, password, query and fragment, any of which may hold a
 * secret. Takes what no parser of URLs does too, such as the several hosts of a cluster, and shows rather too little.
 */
export function withoutUserInfo(address: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? [];
  const rest = address.slice(scheme.length);
  // A password that was not encoded may hold any of these characters: the host begins after the last @. One after a ? or
  // # may as well be of the query, and what follows it a part of a secret there.
  const at = rest.lastIndexOf('@');
  if (/[?#]/.test(rest.slice(0, at + 1))) return `${scheme}…`;
  return scheme + rest.slice(at + 1).replace(/[?#].*$/s, '');
}
