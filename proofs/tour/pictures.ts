/** In screenshot order. */
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
      "The first page after signing in: how often answers name your brand, at which rank, with which share of voice and from which of your pages. Each figure has its interval, and says whether it moved or only varies.",
    location: "visibility",
  },
  {
    file: "presence",
    title: "Presence over collects",
    caption:
      "Your brand and its four most visible rivals, collect by collect, with 95 % intervals as bands. What changed meanwhile, such as a brand that joined the catalog, is numbered below.",
    location: "visibility",
    part: "section[aria-labelledby=presence]",
    scheme: "dark",
  },
  {
    file: "brands-table",
    title: "All brands, side by side",
    caption:
      "Every column sorts, and the whole table downloads as CSV. The line below says how many answers it rests on.",
    location: "visibility",
    part: "section[aria-labelledby=brands]",
  },
  {
    file: "by-source",
    title: "Presence by source",
    caption:
      "Each brand at each assistant, overview and result page; darker is more. A cell leads to the answers that it counts.",
    location: "visibility",
    part: "section[aria-labelledby=by-source]",
    scheme: "dark",
  },
  {
    file: "running-phone",
    title: "A collect in progress, on a phone",
    caption:
      "How far it is and how long it takes; the page keeps it up to date. Nothing is left out on a narrow screen, and tables scroll within their own box.",
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
    caption: "What people ask, and the rank of your brand at each source, now and in the collect before.",
    location: "prompts",
  },
  {
    file: "answers",
    title: "Answers",
    caption:
      "Every answer is stored. Narrow the list to answers that name a rival and not you, to a source or a collect.",
    location: "answers",
  },
  {
    file: "answer",
    title: "One answer whole",
    caption:
      "The text with your brand, other brands, pros, cons and cited pages marked where they stand, and what was read from it.",
    location: "answers",
    open: [".answers tbody th a"],
  },
  {
    file: "sources",
    title: "Sources",
    caption:
      "The sites and pages that answers rest on, by kind and by whom the answers name, and the pages behind answers without you.",
    location: "sources",
  },
  {
    file: "perception",
    title: "Perception",
    caption: "What answers say about each brand: stance, sentiment, pros and cons in the words of the answers.",
    location: "perception",
  },
  {
    file: "perception-dark",
    title: "Wins and losses",
    caption: "Every two brands compared: which one answers recommend where both are named.",
    location: "perception",
    part: "section[aria-labelledby=comparisons]",
    scheme: "dark",
  },
  {
    file: "actions",
    title: "Actions",
    caption: "What to do next, the most useful first, each with the evidence behind it.",
    location: "actions",
  },
  {
    file: "action",
    title: "One action",
    caption: "Why it is recommended, the evidence that opens, and the tasks it comes to.",
    location: "actions",
    open: ["main a[href^='/actions/']:not([href*='.csv'])"],
  },
  {
    file: "audit",
    title: "A website audited",
    caption: "How ready the pages of a site are to be found, read and quoted, and what to mend first.",
    location: "audits",
    open: ["main tbody a[href^='/audits/']"],
  },
  {
    file: "brands",
    title: "Brands",
    caption:
      "The catalog that answers are read with, and names that answers use and it lacks, to add, merge or dismiss.",
    location: "brands",
    scheme: "dark",
  },
  {
    file: "analyses",
    title: "Analyses",
    caption:
      "Everything that is measured, what it costs and when it collects next. Run one now, pause it, or rename it.",
    location: "analyses",
  },
  {
    file: "failed",
    title: "A collect that failed",
    caption:
      "None of its questions was answered: that is said, costs nothing and leaves the earlier figures. *Run now* prices another one.",
    of: "failed",
    location: "analyses",
    open: ["main tbody a[href^='/analyses/']"],
  },
  {
    file: "new-analysis",
    title: "A new analysis",
    caption: "A form in steps: brand, prompts, sources, then the price. Nothing is spent before you say yes.",
    location: "analyses",
    open: ["main a[href^='/new/']"],
  },
  {
    file: "empty",
    title: "An empty workspace",
    caption: "Before the first figures there are the steps to them.",
    of: "empty",
    location: "/",
  },
];
