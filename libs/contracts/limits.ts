/** Rows of a table's page when the caller asks for no other number (specification, section 9). */
export const PAGE_SIZE = 10;
/** The most rows one page may have. */
export const PAGE_SIZE_MAX = 100;
/** The largest JSON body, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Items of a bulk request. */
export const BULK_ITEMS_MAX = 1_000;
/** The largest body of a bulk request, in bytes: as many items as it may have, whatever their words. */
export const BULK_BODY_BYTES_MAX = 4 * 1024 * 1024;
/** The largest file, in bytes. */
export const FILE_BYTES_MAX = 10 * 1024 * 1024;
/** Items of a bulk decision. */
export const BULK_DECISIONS_MAX = 100;
/** Characters of a reason. */
export const REASON_LENGTH_MAX = 500;
/** Characters of what the payment of a withdrawal is found by. */
export const PAYOUT_REFERENCE_MAX = 200;
/** Days that one answer has sums of: a leap year. */
export const DAYS_MAX = 366;
