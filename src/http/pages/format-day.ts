/** Day in UTC, with the month in words: `22 Nov 2026`. */
export function formatDay(at: string | null): string {
  return at === null ? "no date" : formatDate(at, { day: "numeric", month: "short", year: "numeric" });
}

/** Day in UTC without the year: `22 Nov`. */
export function formatShortDay(at: string | null): string {
  return at === null ? "" : formatDate(at, { day: "numeric", month: "short" });
}

function formatDate(at: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(at).toLocaleDateString("en-GB", { timeZone: "UTC", ...options });
}
