export const FAVOURITE_KINDS = ["workspace", "analysis"] as const;
export type FavouriteKind = (typeof FAVOURITE_KINDS)[number];
