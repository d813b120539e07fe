import { explainFailure } from '#engines';

/** Something that looks wrong, and what to do about it. */
export type Finding = { readonly what: string; readonly todo: string };

/** What a look at one part gave, or what it failed with. */
export type Looked<Found> = { readonly found?: Found; readonly findings: readonly Finding[] };

/** Looks at one part. What that fails with is a finding, with this to be done about it, so that it hides no other part. */
export async function look<Found>(todo: string, work: () => Found | Promise<Found>): Promise<Looked<Found>> {
  try {
    return { found: await work(), findings: [] };
  } catch (error) {
    const failure = explainFailure(error);
    const text = failure instanceof Error ? failure.message : String(failure);
    return { findings: [{ what: text.endsWith('.') ? text : `${text}.`, todo }] };
  }
}
