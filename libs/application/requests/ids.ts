/** Letters and digits of a request's id (specification, section 3). */
export const REQUEST_ID_LENGTH = 34;
