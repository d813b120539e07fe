/** Of tests without read models: what is forgotten is in none of their files. */
export const noModels = { waitFor: async () => true, overwrite: async () => undefined };
