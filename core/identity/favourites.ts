/** What a person can mark as a favourite. */
export const FAVOURITE_KINDS = ["workspace", "analysis"] as const;
export type FavouriteKind = (typeof FAVOURITE_KINDS)[number];
