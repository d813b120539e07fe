/** What the doctor says is wrong, and what to do about it. */
export type Finding = { readonly what: string; readonly todo: string };

/** What is said of a small or slow disk, such as a machine for tests may have. */
export const AILING_DISK = /are free:|fsyncs a second/;

/** What the doctor found, beside what this machine's disk is like. */
export function findingsIn(json: Readonly<Record<string, unknown>>): readonly Finding[] {
  const findings = json['findings'] as readonly Finding[];
  return findings.filter(({ what }) => !AILING_DISK.test(what));
}
