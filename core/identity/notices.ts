/**
 * What a person is told about their account: that it was handed over to the person who signs in through an
 * organization's provider, or that their second factor was taken away.
 */
export const NOTICE_KINDS = ["handed_over", "second_factor_reset"] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];
