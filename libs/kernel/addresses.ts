/**
 * The address of a server as it may be shown: without name, password, query and fragment, any of which may hold a
 * secret. Takes what no parser of URLs does too, such as the several hosts of a cluster, and shows rather too little.
 */
export function withoutUserInfo(address: string): string {
  const [scheme = ''] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? [];
  const rest = address.slice(scheme.length);
  // A password that was not encoded may hold any of these characters: the host begins after the last @.
  const host = rest.slice(rest.lastIndexOf('@') + 1);
  return scheme + host.replace(/[?#].*$/s, '');
}
