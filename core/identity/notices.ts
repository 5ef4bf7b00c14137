/** Account handed over to the person signing in through a provider, or second factor removed. */
export const NOTICE_KINDS = ["handed_over", "second_factor_reset"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
