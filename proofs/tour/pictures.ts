/** States of the workspace, in screenshot order. */
export const STATES = ["empty", "demo", "running", "failed"] as const;
export type State = (typeof STATES)[number];

/** One screenshot of the tour: its page, presentation and caption. */
export interface Picture {
  file: string;
  title: string;
  caption: string;
  /**
   * The workspace's state: the demo, the demo with a running or a failed collect, or an empty
   * workspace.
   */
  of?: State;
  /** A section of the console, or a path. */
  location: string;
  /** Selectors of links to follow in order, the first match of each. */
  open?: readonly string[];
  /** Selector of the element at the upper edge. */
  part?: string;
  width?: "screen" | "phone";
  scheme?: "light" | "dark";
}

export const PICTURES: readonly Picture[] = [
  {
    file: "visibility",
    title: "Visibility",
    caption:
      "The first page after signing in shows how often answers name your brand, its rank, its share of voice, and your cited pages. Each figure has its interval, and shows whether its change is significant.",
    location: "visibility",
  },
  {
    file: "presence",
    title: "Presence over time",
    caption:
      "Your brand and its four most visible rivals over all runs, with their likely ranges (95 %) shaded. Events, such as a brand added to the catalog, are numbered below.",
    location: "visibility",
    part: "section[aria-labelledby=presence]",
    scheme: "dark",
  },
  {
    file: "brands-table",
    title: "All brands, side by side",
    caption: "Every column sorts, and the whole table downloads as CSV. The line below states the number of answers.",
    location: "visibility",
    part: "section[aria-labelledby=brands]",
  },
  {
    file: "by-source",
    title: "Presence by source",
    caption: "Each brand at each assistant, overview and result page; darker is more. A cell links to its answers.",
    location: "visibility",
    part: "section[aria-labelledby=by-source]",
    scheme: "dark",
  },
  {
    file: "running-phone",
    title: "A run in progress, on a phone",
    caption:
      "Progress and remaining time, updated live. A narrow screen shows everything, and tables scroll within their own box.",
    of: "running",
    location: "visibility",
    width: "phone",
  },
  {
    file: "presence-phone",
    title: "The chart on a phone",
    caption: "Charts are redrawn for narrow screens, in the colour scheme of the device.",
    location: "visibility",
    part: "section[aria-labelledby=presence]",
    width: "phone",
    scheme: "dark",
  },
  {
    file: "prompts",
    title: "Prompts",
    caption: "Every prompt, with the rank of your brand at each source, in this run and the previous one.",
    location: "prompts",
  },
  {
    file: "answers",
    title: "Answers",
    caption: "Every answer is stored. Filter the list by source, by run, or for answers that name a rival but not you.",
    location: "answers",
  },
  {
    file: "answer",
    title: "One answer",
    caption:
      "The page marks your brand, other brands, pros, cons and cited pages in the text, and lists the extracted facts.",
    location: "answers",
    open: [".answers tbody th a"],
  },
  {
    file: "sources",
    title: "Sources",
    caption:
      "The sites and pages that answers cite, by type and by brand, and the pages cited in answers that do not name you.",
    location: "sources",
  },
  {
    file: "perception",
    title: "Perception",
    caption: "Opinions of the answers about each brand: stance, sentiment, and pros and cons in their own words.",
    location: "perception",
  },
  {
    file: "perception-dark",
    title: "Wins and losses",
    caption: "Every pair of brands, with the brand that answers prefer.",
    location: "perception",
    part: "section[aria-labelledby=comparisons]",
    scheme: "dark",
  },
  {
    file: "actions",
    title: "Actions",
    caption: "Recommended actions, the most useful first, each with its evidence.",
    location: "actions",
  },
  {
    file: "action",
    title: "One action",
    caption: "The reason, the evidence, and the tasks.",
    location: "actions",
    open: ["main a[href^='/actions/']:not([href*='.csv'])"],
  },
  {
    file: "audit",
    title: "An audited website",
    caption:
      "Scores show how well answer engines can find, read and quote the pages of a site. Fixes are listed with the most important first.",
    location: "audits",
    open: ["main tbody a[href^='/audits/']"],
  },
  {
    file: "brands",
    title: "Brands",
    caption: "The tracked brands, and suggested names from answers, to add, merge or dismiss.",
    location: "brands",
    scheme: "dark",
  },
  {
    file: "analyses",
    title: "Analyses",
    caption: "All analyses, with their cost and next run. Run one now, pause it, or rename it.",
    location: "analyses",
  },
  {
    file: "failed",
    title: "A run that failed",
    caption:
      "No answer arrived. The page says so, nothing is charged, and earlier figures stay. *Run now* prices another run.",
    of: "failed",
    location: "analyses",
    open: ["main tbody a[href^='/analyses/']"],
  },
  {
    file: "new-analysis",
    title: "A new analysis",
    caption: "A form guides you through brand, prompts, sources and price. Nothing is spent before you confirm.",
    location: "analyses",
    open: ["main a[href^='/new/']"],
  },
  {
    file: "empty",
    title: "An empty workspace",
    caption: "An empty workspace lists the steps to its first figures.",
    of: "empty",
    location: "/",
  },
];
