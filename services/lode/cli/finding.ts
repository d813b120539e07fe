/** Something that looks wrong, and what to do about it. */
export type Finding = { readonly what: string; readonly todo: string };
